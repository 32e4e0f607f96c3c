"""Ordered attributes: the distribution over ranks of all records, tilted.

In component i rank v of an attribute has the probability

    p_i(v) ~ G(v) exp(a_i r_v + b_i r_v^2),

with r_v its place between -1 and 1: the odds of two adjacent ranks are those of all records times
the exponential of a straight line (an adjacent-category logit model; Goodman 1979). The shape G is
common to all components; a moves a component along the scale, b makes it narrower or wider. Of one
component p is G, and with up to three ranks p is free.

Among these the likeliest for some records is the one of their mean and mean square. So the M-step
takes the free distribution first, and `tilted` replaces it by that of the same moments.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from galileomix._model.params import Floats, Ints, Layout

EXACT = 1e-13
"""How far the log-likelihood per record may stay below the greatest."""
MOST_STEPS = 60
"""Steps of Newton's method. Mostly three are enough; more than ten lead to the border."""
SHORTER = 0.25
"""What is taken of a step that went too far."""
A_FEW = 1e-6
"""Records' worth of the shape in the first guess, so that no rank is impossible there."""
ALIKE, FLAT = 1e-13, 1e-15
"""The least curvature: as a share of all, where only two ranks occur; and that of rounding."""
AT_ONCE = 8192
"""Distributions that are worked on together: more outgrow the nearer caches."""
NEVER = 1e-200
"""The least probability of a rank that occurs: that of a tilt without end."""


def tilted(p: Floats, layout: Layout, shape: Floats) -> Floats:
    """Return p, (V, k), with every ordered attribute as the likeliest tilt of ``shape``.

    ``shape``, (V, 1) or (V, k), is any distribution of the family. The probability of what is no
    rank, the missing value, is left alone; so is an attribute whose shape is not known.
    """
    k = p.shape[1]
    p, shape = _with_none(p), _with_none(shape)
    for rows in layout.scales:
        ranks = p[rows].reshape(len(rows), -1)
        common = np.broadcast_to(shape[rows], (*rows.shape, k)).reshape(ranks.shape)
        for first in range(0, ranks.shape[1], AT_ONCE):
            some = slice(first, first + AT_ONCE)
            ranks[:, some] = _nearest(ranks[:, some], common[:, some])
        p[rows] = ranks.reshape(*rows.shape, k)
    return p[:-1]


def up_to(n: Floats, layout: Layout) -> Floats:
    """Return how many records have at most each rank, (V,); of other values, have it."""
    n = _with_none(n)
    for rows in layout.scales:
        n[rows] = np.cumsum(n[rows], axis=0)
    return n[:-1]


def _with_none(values: Floats) -> Floats:
    """Return a copy with one row more, of zeros: what is beyond the end of a scale."""
    return np.concatenate([values, np.zeros((1, *values.shape[1:]))])


def _nearest(ranks: Floats, shape: Floats) -> Floats:
    """Return the likeliest tilts of shapes for ranks, (R, n), with the same sums as these."""
    possible = np.where(shape > 0, ranks, 0.0)
    known = np.flatnonzero(possible.any(axis=0))
    parts = (part[:, known] / part[:, known].sum(axis=0) for part in (possible, shape))
    found = ranks.copy()
    found[:, known] = ranks[:, known].sum(axis=0) * _matched(*parts)
    return found


def _matched(target: Floats, shape: Floats) -> Floats:
    """Return the tilt of each shape that has the moments of the target, (R, n).

    Newton's method; a step that ends lower is made shorter.
    """
    search, column = _Search.begun(target, shape), np.arange(target.shape[1])
    found = search.p
    for _ in range(MOST_STEPS):
        step, gain = search.newton()
        going = np.flatnonzero(gain > EXACT)
        if not len(going):
            break
        if 2 * len(going) <= len(gain):
            search, column, step = search.take(going), column[going], step[:, going]
        search = search.stepped(step)
        found[:, column] = search.p
    return np.where(shape > 0, np.maximum(found, NEVER), 0.0)


class _Search(NamedTuple):
    """Where Newton's method is; the last axis of every array is that of the columns."""

    log_shape: Floats  # (R, n)
    away: Floats  # (2, R, n) how far r and r^2 of each rank are from their means in the target
    mean: Floats  # (2, n) those means
    tilt: Floats  # (2, n) a and b
    loss: Floats  # (n,) minus the log-likelihood per record, but for a constant
    p: Floats  # (R, n)
    share: Floats  # (n,) how much of Newton's step to take

    @classmethod
    def begun(cls, target: Floats, shape: Floats) -> _Search:
        """Begin with the shape itself, or with a guess where that is better."""
        R, n = target.shape
        powers = _powers(R)
        mean = powers[:2] @ target
        away = powers[:2, :, None] - mean[:, None]
        log_shape = np.log(shape, out=np.full((R, n), -np.inf), where=shape > 0)
        here = (np.zeros((2, n)), np.zeros(n), shape.copy(), np.ones(n))
        start = cls(log_shape, away, mean, *here)
        return start.stepped(_log_ratio_slopes(target, shape, mean))._replace(share=np.ones(n))

    def newton(self) -> tuple[Floats, Floats]:
        """Return Newton's step, (2, n), and twice what it promises to gain, (n,)."""
        moments = _powers(len(self.p)) @ self.p
        missing = self.mean - moments[:2]
        step = _solved(moments, missing)
        return step, missing[0] * step[0] + missing[1] * step[1]

    def stepped(self, step: Floats) -> _Search:
        """Return the search after a step, or where it was if that was better."""
        tilt = self.tilt + self.share * step
        exponent = self.log_shape + tilt[0] * self.away[0] + tilt[1] * self.away[1]
        top = np.maximum.reduce(exponent, axis=0)
        p = np.exp(exponent - top)
        total = np.add.reduce(p, axis=0)
        loss, p = top + np.log(total), p / total
        better = loss <= self.loss
        if better.all():
            return self._replace(tilt=tilt, loss=loss, p=p, share=np.ones(len(loss)))
        pairs = ((tilt, self.tilt), (loss, self.loss), (p, self.p), (1.0, SHORTER * self.share))
        tilt, loss, p, share = (np.where(better, *pair) for pair in pairs)
        return self._replace(tilt=tilt, loss=loss, p=p, share=share)

    def take(self, columns: Ints) -> _Search:
        """Return the search for some of the columns."""
        return _Search(*(part[..., columns] for part in self))


@cache
def _powers(R: int) -> Floats:
    """Return the first four powers of r, (4, R)."""
    return np.linspace(-1.0, 1.0, R) ** np.arange(1, 5)[:, None]


def _log_ratio_slopes(target: Floats, shape: Floats, mean: Floats) -> Floats:
    """Return the least-squares slopes of log target / shape by r and r^2, (2, n)."""
    powers = _powers(len(target))
    ratio = np.divide(target, shape, out=np.zeros_like(target), where=shape > 0)
    log_ratio = np.log(ratio + A_FEW)
    weighted = target * log_ratio
    return _solved(powers @ target, powers[:2] @ weighted - mean * weighted.sum(axis=0))


def _solved(moments: Floats, right: Floats) -> Floats:
    """Return x, (2, n), with H x = right, where H is the covariance of r and r^2.

    ``moments``, (4, n), are the means of the first four powers of r.
    """
    first, second, third, fourth = moments
    a, b, c = second - first * first, third - first * second, fourth - second * second
    least = ALIKE * (a + c) + FLAT
    a, c = a + least, c + least
    x = np.empty_like(right)
    x[0], x[1] = c * right[0] - b * right[1], a * right[1] - b * right[0]
    return x / (a * c - b * b)
