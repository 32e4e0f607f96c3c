"""What a search does at the moment, and what is still ahead of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from galileomix._model.kicks import Tally

ENOUGH = 25
"""Kicks that returned to the best model, after which half the patience will do."""
MANY = 6
"""Components less one from which patience is whole: of fewer there are fewer ways to kick them."""
LONGEST = 2
"""Where success came late a stage goes on for as long again, but for no more times its patience."""


@dataclass
class Outlook:
    """What a search does, which it keeps up to date for whoever wants to know."""

    phase: str = "growing"
    kicks: int = 0  # tried so far
    kicks_left: float = 0.0  # still to try, if none of them finds a better model
    stages_left: int = 0  # the one that is under way included

    def note(self, tally: Tally, k: int, patience: int, last: int) -> None:
        """Note the kicks so far at a stage of some patience, and that of the last stage to come."""
        last = max(last, patience)
        self.phase, self.kicks = "improving", tally.kicks
        self.kicks_left = max(kicks_needed(tally, k, last) - tally.in_vain, 0.0)
        self.stages_left = 1 + round(math.log2(last / patience))


def kicks_needed(tally: Tally, k: int, patience: int) -> float:
    """Return how many kicks in vain end a stage, where the best model has k components.

    >>> kicks_needed(Tally(), 8, 200), kicks_needed(Tally(), 2, 200)
    (200.0, 100.0)
    """
    few = min(1.0, (k + 1) / MANY)
    half = 0.5 if tally.returned >= ENOUGH and not tally.is_rough else 1.0
    return few * half * min(max(patience, tally.last_success), LONGEST * patience)
