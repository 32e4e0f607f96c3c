"""How long a search will still take.

It ends after so many kicks in vain. What a kick has taken so far, with everything between kicks
counted in, says how long those take that are still needed if none of them finds a better model.
On the even half of the benchmark of the search this is neither too long nor too short on the
whole: what late success adds, and what ends early, are about even.
"""

from __future__ import annotations

from galileomix._model.outlook import Outlook

A_STAGE = 30
"""The kicks that take as long as the refinement at the end of a stage."""
THE_END = 30
"""The kicks that take as long as what follows the search."""
FIRST_KICKS, FIRST_SECONDS = 16, 3.0
"""Before so many kicks, and so many seconds of them, nothing is said."""


class TimeLeft:
    """Estimates how long a fit will still take, from what its search says of itself."""

    def __init__(self) -> None:
        self._phase, self._phase_began = "", 0.0
        self._per_kick = 0.0  # seconds; zero before it is known

    def seconds(self, outlook: Outlook, now: float) -> float | None:
        """Return the seconds left; ``now`` are those since the search began."""
        if outlook.phase != self._phase:
            self._phase, self._phase_began = outlook.phase, now
        here = now - self._phase_began
        if outlook.phase == "improving":
            if outlook.kicks < FIRST_KICKS or here < FIRST_SECONDS:
                return None
            self._per_kick = here / outlook.kicks
            ahead = outlook.kicks_left + A_STAGE * outlook.stages_left + THE_END
            return ahead * self._per_kick
        if self._per_kick:
            return max(THE_END * self._per_kick - here, 0.0)
        return None
