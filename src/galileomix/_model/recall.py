"""What a search remembers, so that nothing is tried twice."""

from __future__ import annotations

from galileomix._model.champions import SAME, Champions
from galileomix._model.em import Fit
from galileomix._model.with_prior import STRENGTHS


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
