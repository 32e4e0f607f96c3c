"""What a search does at the moment, and what is probably still ahead of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from galileomix._model.kicks import MANY_MORE, Tally

ENOUGH = 25
"""Kicks that returned to the best model, after which half the patience will do."""
FEW_OTHERS = 5
"""How many times as often they have to return as there are other models nearly as good."""
LIKELY = 0.25
"""The odds that there is a better model, at the usual patience, from which it will not do."""
MANY = 6
"""Components less one from which patience is whole: of fewer there are fewer ways to kick them."""
LONGEST = 2
"""Where success came late a stage goes on for as long again, but for no more times its patience."""
CLEARLY = 4
"""Kicks more that have to end elsewhere for one more stage to be expected."""
SUCCESS, MOST_SUCCESS = 0.5, 1.0
"""How often a kick is expected to succeed, as a share of how often kicks did; the most successes
that are expected."""


@dataclass
class Outlook:
    """What a search does, which it keeps up to date for whoever wants to know."""

    phase: str = "growing"
    doing: Literal["kicks", "refinement", "other"] = "other"
    kicks: int = 0  # tried so far
    kicks_left: float = 0.0  # that are expected
    refinements_left: int = 0  # the one that is under way included
    aside: int = 0  # kicks at models that the search does not go on from

    def note(self, tally: Tally, k: int, patience: int, last: int, refined: bool) -> None:
        """Note the kicks so far at a stage of some patience, and that of the last stage to come.

        ``refined`` says whether this stage ends with a refinement, as all later ones do.
        """
        last = max(last, patience)
        self.phase, self.doing, self.kicks = "improving", "kicks", tally.kicks + self.aside
        self.kicks_left = kicks_expected(tally, k, last)
        self.refinements_left = refined + round(math.log2(last / patience))


def kicks_needed(tally: Tally, k: int, patience: int) -> float:
    """Return how many kicks in vain end a stage, where the best model has k components.

    >>> kicks_needed(Tally(), 8, 200), kicks_needed(Tally(), 2, 200)
    (200.0, 100.0)
    """
    enough = tally.returned >= ENOUGH and _is_settled(tally, k)
    return (0.5 if enough else 1.0) * _whole_patience(tally, k, patience)


def is_clearly_rough(tally: Tally) -> bool:
    """Whether models that are nearly as good are so many that it will hardly change."""
    return tally.elsewhere > MANY_MORE * tally.returned + CLEARLY


def kicks_expected(tally: Tally, k: int, last: int) -> float:
    """Return about how many kicks are left until the last stage ends.

    Kicks return to the best model, and succeed, about as often as they did.
    """
    needed = _whole_patience(tally, k, last)
    if tally.returned and _is_settled(tally, k):
        enough = ENOUGH * (tally.in_vain + 1) / tally.returned
        needed = min(max(enough, 0.5 * needed), needed)
    left = max(needed - tally.in_vain, 0.0)
    successes = min(SUCCESS * tally.successes / max(tally.kicks, 1) * left, MOST_SUCCESS)
    return left * (math.expm1(successes) / successes if successes else 1.0)


def _is_settled(tally: Tally, k: int) -> bool:
    """Whether kicks return to the best model, hardly end elsewhere, and seldom succeeded."""
    few_others = FEW_OTHERS * tally.elsewhere <= tally.returned
    return few_others and tally.odds_of_better(k) < LIKELY


def _whole_patience(tally: Tally, k: int, patience: int) -> float:
    few = min(1.0, (k + 1) / MANY)
    return few * min(max(patience, tally.last_success), LONGEST * patience)
