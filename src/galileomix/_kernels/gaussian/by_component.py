"""The numbers of a block, one component at a time: for very many numbers, or patterns of them.

Products of matrices do most of the work. What depends on which numbers are missing is solved
pattern by pattern (`pattern_loops`), some rows at a time, so that no call takes long and no
array is large.

A record's distances z from the means, the missing ones as expected, are what makes z' P z least,
with P the inverse covariance; so z' P z is the squared distance of the known numbers alone, and an
error in what is expected hardly counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from galileomix._kernels.gaussian.gaussian_loops import Patterns
from galileomix._kernels.gaussian.pattern_loops import Left, Matrices, solve_patterns
from galileomix._kernels.loops import Cells, Flat, Rules, which_meet
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Block

MOST_WORK = 100_000_000
"""Multiplications in one call: a tenth of a second at the most."""
TRIFLE = 2.0**-60
"""A component with a smaller share of a record adds nothing to its sums that a double can hold."""
LOG_2_PI = float(np.log(2 * np.pi))


class _Rows(NamedTuple):
    """Some rows of one component, sorted by pattern."""

    at: Ints  # their places in the block
    known: NDArray[np.bool_]  # (P, Q)
    starts: Ints  # (P + 1,)


class ByComponent:
    """The numbers of one block under the Gaussians of a mixture.

    ``at`` is where each component stands in a row, ``width`` how wide a row is.
    """

    def __init__(
        self, block: Block, patterns: Patterns, mixture: Mixture, at: Ints | slice, width: int
    ) -> None:
        self._block, self._patterns, self._mixture = block, patterns, mixture
        self._places, self._width = np.arange(width)[at], width
        self._every = np.arange(len(block))

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        out = np.zeros((len(self._block), self._width))
        n_known = (~np.isnan(self._block.numbers)).sum(axis=1)
        for i, place in enumerate(self._places):
            matrices, whiten = self._matrices(i)
            for rows in self._parts(self._every):
                nothing = Left(np.zeros((len(rows.known), 0)), np.zeros((0, 0, 0)))
                away, log_det = self._expected(rows, i, matrices, nothing)
                squares = ((away @ whiten.T) ** 2).sum(axis=1)
                level = matrices.log_det + log_det + LOG_2_PI * n_known[rows.at]
                out[rows.at, place] = -0.5 * (squares + level)
        return out.reshape(-1)

    def moments(self, shares: Flat) -> Floats:
        """Return the sums of numbers and of their products, (Q + Q Q, width)."""
        Q = self._mixture.layout.n_numeric
        sums = np.zeros((Q + Q * Q, self._width))
        by_place = shares.reshape(-1, self._width)
        for i, place in enumerate(self._places):
            share = by_place[:, place].astype(np.float64, copy=False)
            some = np.flatnonzero(share > TRIFLE * self._block.weights)
            sums[:, place] = self._sums(i, some, share[:, None])[:, 0]
        return sums

    def cut_moments(self, cells: Cells, rules: Rules, shares: Flat) -> Floats:
        """Return the moments of the records that meet each rule, (Q + Q Q, c)."""
        Q = self._mixture.layout.n_numeric
        sums = np.zeros((Q + Q * Q, len(rules.attribute)))
        by_place = shares.reshape(-1, self._width)
        for i, place in enumerate(self._places):
            mine = slice(*rules.starts[i : i + 2])
            share = by_place[:, place].astype(np.float64, copy=False)
            some = np.flatnonzero(share > rules.active * self._block.weights)
            if mine.start < mine.stop:
                met = np.empty((len(share), mine.stop - mine.start), np.bool_)
                which_meet(cells, rules.attribute[mine], rules.value[mine], met)
                sums[:, mine] = self._sums(i, some, share[:, None] * met)
        return sums

    def _sums(self, i: int, some: Ints, shares: Floats) -> Floats:
        """Return the moments of component i by each column of shares, (Q + Q Q, c)."""
        Q, c = self._mixture.layout.n_numeric, shares.shape[1]
        matrices, _ = self._matrices(i)
        total, product, left = np.zeros((Q, c)), np.zeros((c, Q, Q)), np.zeros((c, Q, Q))
        for rows in self._parts(some):
            part = shares[rows.at]
            held = Left(np.add.reduceat(part, rows.starts[:-1], axis=0), left)
            x = self._mixture.mu[:, i] + self._expected(rows, i, matrices, held)[0]
            total += x.T @ part
            for j in range(c):
                product[j] += (x * part[:, j, None]).T @ x
        product += left + np.triu(left, 1).transpose(0, 2, 1)
        return np.concatenate([total, product.reshape(c, Q * Q).T])

    def _expected(
        self, rows: _Rows, i: int, matrices: Matrices, left: Left
    ) -> tuple[Floats, Floats]:
        """Return the distances of rows from the means, and by how much log det differs, (n,)."""
        away = self._block.numbers[rows.at] - self._mixture.mu[:, i]
        log_det = np.zeros(len(away))
        missing = np.isnan(away)
        if not missing.any():
            return away, log_det
        away[missing] = 0.0
        many = (missing.sum(axis=1) * 2 > away.shape[1])[:, None]
        # Side by side: of rows that lack few numbers what is solved for, of others what solves.
        sides = np.where(missing, away @ matrices.precision, away)
        solve_patterns(rows.known, rows.starts, matrices, sides, log_det, left)
        if many.any():
            sides = np.where(many, -sides @ matrices.Sigma, sides)
        away[missing] = -sides[missing]
        return away, log_det

    def _matrices(self, i: int) -> tuple[Matrices, Floats]:
        """Return what is needed of a component, and what whitens its numbers."""
        Sigma = np.ascontiguousarray(self._mixture.Sigma[:, :, i])
        root = np.linalg.cholesky(Sigma)
        whiten: Floats = np.linalg.inv(root).astype(np.float64, copy=False)
        log_det = 2.0 * float(np.log(np.diag(root)).sum())
        return Matrices(Sigma, whiten.T @ whiten, log_det), whiten

    def _parts(self, some: Ints) -> Iterator[_Rows]:
        """Yield some rows of the block by pattern, as many at a time as one call may take."""
        known, order, starts = self._patterns
        chosen = np.zeros(len(self._block), np.bool_)
        chosen[some] = True
        kept = chosen[order]
        at = order[kept]
        pattern = np.repeat(np.arange(len(known)), np.diff(starts))[kept]
        work = np.cumsum(_work(known)[pattern])
        ends = np.searchsorted(work, np.arange(MOST_WORK, work[-1] if len(at) else 0, MOST_WORK))
        for part in np.split(np.arange(len(at)), ends):
            if len(part):
                first = np.flatnonzero(np.diff(pattern[part], prepend=-1))
                bounds = np.append(first, len(part))
                yield _Rows(at[part], known[pattern[part[first]]], bounds)


def _work(known: NDArray[np.bool_]) -> Floats:
    """Return how many multiplications a row of each pattern may take."""
    Q = known.shape[1]
    fewer = np.minimum(known.sum(axis=1), (~known).sum(axis=1)).astype(float)
    return fewer**3 + 3.0 * Q * Q
