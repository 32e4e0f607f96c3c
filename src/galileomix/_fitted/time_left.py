"""How long a search will still take.

It ends after so many kicks in vain, and says how many it expects (`outlook`). Each is taken to last
as long as those so far. Between stages of kicks there are refinements: the first takes long, later
ones find less to do. The constants were chosen on fits of the even half of the benchmark of the
search, for the least error at any time from a seventh of a fit to its end.
"""

from __future__ import annotations

import math

from galileomix._model.outlook import Outlook

FIRST_REFINEMENT = 100
"""The kicks that take as long as the first refinement, before there was one."""
LATER = 0.4
"""How long a later refinement takes, as a share of the longest so far."""
THE_END = 30
"""The kicks that take as long as what follows the search."""
FIRST_KICKS, FIRST_SECONDS = 16, 3.0
"""Before so many kicks, and so many seconds since the first of them, nothing is said."""


class TimeLeft:
    """Estimates how long a fit will still take, from what its search says of itself."""

    def __init__(self) -> None:
        self._before = Outlook().doing  # what was done until now
        self._now = self._kicking = self._refining = self._longest = 0.0
        self._per_kick = 0.0  # seconds; zero before it is known
        self._since = math.inf  # when the first kicks were tried
        self._ended = math.inf  # when the search had ended

    def seconds(self, outlook: Outlook, now: float) -> float | None:
        """Return the seconds left; ``now`` are those since the search began."""
        self._count(outlook, now)
        if outlook.phase != "improving":
            return self._until_the_end(now)
        if outlook.kicks < FIRST_KICKS or now - self._since < FIRST_SECONDS:
            return None
        self._per_kick = self._kicking / outlook.kicks
        kicks = self._per_kick * (outlook.kicks_left + THE_END)
        return kicks + self._refinements(outlook.refinements_left)

    def _count(self, outlook: Outlook, now: float) -> None:
        """Count the time since the last look at the clock as that of what was done until now."""
        passed, self._now = now - self._now, now
        if self._before == "kicks":
            self._kicking += passed
        if outlook.doing == "kicks":
            self._since = min(self._since, now)
        self._refining = self._refining + passed if self._before == "refinement" else 0.0
        self._longest = max(self._longest, self._refining)
        self._before = outlook.doing

    def _refinements(self, left: int) -> float:
        if self._longest:
            return LATER * self._longest * left
        return FIRST_REFINEMENT * self._per_kick * (1.0 + LATER * (left - 1)) if left else 0.0

    def _until_the_end(self, now: float) -> float | None:
        """Return how long what follows the search will still take; None once that is overdue."""
        if not self._per_kick:
            return None
        self._ended = min(self._ended, now)
        left = THE_END * self._per_kick - (now - self._ended)
        return left if left > 0.0 else None
