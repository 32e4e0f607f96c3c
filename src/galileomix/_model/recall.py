"""What a search remembers, so that nothing is tried twice."""

from __future__ import annotations

from galileomix._model.champions import SAME, Champions, Outline
from galileomix._model.em import Fit
from galileomix._model.with_prior import STRENGTHS

LIKE = 0.01
"""The share of all records by which no weight differs of models that count as one."""


class Tried:
    """Which moves were tried on which champions."""

    def __init__(self, champions: Champions) -> None:
        self._champions = champions
        self._generations: dict[tuple[str, int, float], int] = {}

    def is_new(self, move: str, k: int, strength: float = STRENGTHS[0]) -> bool:
        """Whether there is a champion of k that the move was not tried on; now it is."""
        generation = self._champions.generation.get(k)
        key = (move, k, strength)
        if generation is None or self._generations.get(key) == generation:
            return False
        self._generations[key] = generation
        return True


class Met:
    """The fits with a prior that were followed up."""

    def __init__(self) -> None:
        self._values: dict[tuple[int, float], list[float]] = {}

    def is_new(self, rough: Fit, strength: float) -> bool:
        """Whether no equal fit was followed up before, which would end the same; now it is."""
        met = self._values.setdefault((rough.k, strength), [])
        value = rough.log_likelihood
        if any(abs(value - other) <= SAME * abs(value) for other in met):
            return False
        met.append(value)
        return True


class Others:
    """Models that are nearly as good as the best, each of them once.

    Those that EM was not yet through with differ in the last digits of their weights.
    """

    def __init__(self) -> None:
        self._met: list[Outline] = []

    def is_new(self, fit: Fit) -> bool:
        """Whether no such model was met before; now it is."""
        outline = Outline.of(fit)
        if any(outline.is_nearly(other, LIKE) for other in self._met):
            return False
        self._met.append(outline)
        return True
