"""How low a score is among others, as a probability, also where it is lower than all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._model.params import Floats

MOST = 2_000
"""The most scores to remember."""
IN_TAIL = 0.01
"""The share of scores from which the tail is carried on."""
LEAST_RATE = 1e-9
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Tail:
    """Scores in order, and the share of all up to each; beyond them an exponential tail.

    Examples
    --------
    >>> usual = Tail.of(np.linspace(0.0, 1.0, 1001))
    >>> usual.below(np.array([0.5, 2.0])).round(2).tolist()
    [0.5, 1.0]
    """

    scores: Floats
    shares: Floats

    @classmethod
    def of(cls, scores: Floats) -> Tail:
        """Return the distribution of scores: all of the least, and some of the others."""
        order = np.sort(scores)
        few = np.arange(min(len(order), MOST // 2))
        rest = np.linspace(0, len(order) - 1, MOST // 2).round().astype(np.intp)
        kept = np.unique([*few, *rest])
        return cls(order[kept], (kept + 1.0) / len(order))

    def below(self, scores: Floats) -> Floats:
        """Return how probable a score is that is at most as high, never 0."""
        near = scores + ROUNDING * (1.0 + np.abs(scores))
        position = np.searchsorted(self.scores, near, side="right")
        share = np.concatenate([[self.shares[0]], self.shares])[position]
        start, share_there, mean_excess = self._tail()
        further = share_there * np.exp(-np.maximum(start - scores, 0.0) / mean_excess)
        return np.maximum(np.where(scores < start, further, share), np.finfo(float).tiny)

    def at(self, p: float) -> float:
        """Return the score of a probability: the inverse of `below`, within the tail or near it."""
        start, share_there, mean_excess = self._tail()
        if p < share_there:
            return float(start + mean_excess * np.log(p / share_there))
        return float(self.scores[min(np.searchsorted(self.shares, p), len(self.scores) - 1)])

    def _tail(self) -> tuple[float, float, float]:
        """Return where the tail begins, the share that is in it, and how far that is on average."""
        last = int(np.searchsorted(self.shares, IN_TAIL, side="right"))
        last = min(max(last, 1), len(self.scores) - 1)
        start, share = float(self.scores[last]), float(self.shares[last - 1])
        weights = np.diff(np.concatenate([[0.0], self.shares[:last]]))
        mean_excess = float(weights @ (start - self.scores[:last]) / weights.sum())
        return start, share, max(mean_excess, LEAST_RATE * (1.0 + abs(start)))
