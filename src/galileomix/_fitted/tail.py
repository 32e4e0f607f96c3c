"""How low a score is among others, as a probability, also where it is lower than all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._model.params import Floats
from galileomix._model.stats import TINY

MOST = 2_000
"""The most scores to remember."""
IN_TAIL = 0.01
"""The share of scores from which the tail is carried on."""
CLOSE, LEAST_EXCESS = 0.02, 0.5
"""Scores that differ by less do not differ: where there are categories, many are nearly equal. And
no tail falls off more steeply."""


@dataclass(frozen=True, eq=False)
class Tail:
    """Scores in order, and the share of all up to each; beyond them an exponential tail.

    Examples
    --------
    >>> usual = Tail.of(np.linspace(0.0, 1.0, 1001))
    >>> usual.below(np.array([0.5, 2.0])).round(2).tolist()
    [0.52, 1.0]
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
        """Return how probable a score is that is at most as high, or hardly higher; never 0."""
        near = scores + CLOSE
        position = np.searchsorted(self.scores, near, side="right")
        share = np.concatenate([[0.0], self.shares])[position]
        start, share_there, mean_excess = self._tail()
        further = share_there * np.exp(-np.maximum(start - near, 0.0) / mean_excess)
        in_tail = np.maximum(np.maximum(further, share), np.finfo(float).tiny)
        return np.where(near < start, in_tail, share)

    def at(self, p: Floats) -> Floats:
        """Return the scores below which `below` is at most p."""
        start, share_there, mean_excess = self._tail()
        drawn = self.scores[np.minimum(np.searchsorted(self.shares, p, side="right"), self._last)]
        further = start + mean_excess * np.log(np.maximum(p, TINY) / share_there)
        return np.where(p < share_there, np.minimum(drawn, further), drawn) - CLOSE

    @property
    def _last(self) -> int:
        return len(self.scores) - 1

    def _tail(self) -> tuple[float, float, float]:
        """Return where the tail begins, the share that is in it, and how far that is on average."""
        last = int(np.searchsorted(self.shares, IN_TAIL, side="right"))
        last = min(max(last, 1), self._last)
        start, share = float(self.scores[last]), float(self.shares[max(last - 1, 0)])
        weights = np.diff(np.concatenate([[0.0], self.shares[:last]]))
        away = float(weights @ (start - self.scores[:last]))
        return start, share, max(away / max(float(weights.sum()), TINY), LEAST_EXCESS)


def largest_p(p_values: Floats, weights: Floats, fdr: float) -> float:
    """Return the p-value below which all are outliers (Benjamini and Hochberg).

    At least that of the first step, so that a lower one would be an outlier.

    Examples
    --------
    >>> round(largest_p(np.array([0.001, 0.02, 0.5, 0.8]), np.ones(4), 0.05), 4)
    0.025
    """
    p_values, weights = p_values[weights > 0], weights[weights > 0]
    order = np.argsort(p_values, kind="stable")
    limits = fdr * np.cumsum(weights[order]) / weights.sum()
    passed = np.flatnonzero(p_values[order] <= limits)
    return float(limits[passed[-1] if len(passed) else 0])
