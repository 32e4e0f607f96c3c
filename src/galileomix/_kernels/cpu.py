"""The same functions as `reference`, compiled, over joint columns (see `fuse`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from galileomix._kernels import loops
from galileomix._kernels.fuse import Plan, fused
from galileomix._kernels.numbers import Gaussians
from galileomix._kernels.reference import ACTIVE, census, distances
from galileomix._kernels.tile import aligned, padded
from galileomix._model.cuts import Cuts, HalfStats, Halves
from galileomix._model.params import LOG_ZERO, Floats, Ints, Mixture
from galileomix._model.stats import Stats
from galileomix._table import Block, Codes

__all__ = ["census", "count_cuts", "distances", "draft", "expect", "expect_halves", "log_joint"]

Flat = NDArray[np.floating]
Rows = tuple[Codes, Floats, int]
"""Joint columns, what numbers add to the log joints, and how wide a row of the table is."""

NO_NUMBERS = np.zeros(0)
SINGLE_LOG_ZERO = -1e4
"""What stands for log 0 in single precision: `LOG_ZERO` would leave no digits for the rest."""


def expect(block: Block, mixture: Mixture) -> Stats:
    """Return the statistics of a block shared out under a mixture."""
    return _expect(block, mixture, np.float64)


def draft(block: Block, mixture: Mixture) -> Stats:
    """Return nearly the same as `expect`, sooner: single precision inside, doubles outside.

    The log-likelihood is good to some 1e-8 of itself and the counts to 1e-5.
    """
    return _expect(block, mixture, np.float32)


def _expect(block: Block, mixture: Mixture, precision: type[np.floating]) -> Stats:
    layout, k = mixture.layout, mixture.k
    plan, codes = fused(block, layout, len(block))
    gaussians, densities = _numbers(block, mixture)
    extra = densities.astype(precision, copy=False)
    table = _mixture_table(mixture, plan, precision)
    counts, sums = aligned(len(table), precision), np.zeros((layout.n_sums, k))
    log_likelihood = loops.expect(
        (codes, extra, padded(k)),
        block.weights,
        table,
        (plan.starts, plan.members),
        (counts, sums, extra),
    )
    if gaussians:
        shares = extra.astype(np.float64, copy=False)
        sums[layout.n_values + 1 :] = gaussians.moments(shares)[:, :k]
    return Stats(layout, sums, log_likelihood)


def log_joint(block: Block, mixture: Mixture) -> Floats:
    """Return log alpha_i + log Pr(x_a | C_i), (n, k)."""
    rows, table, _ = _prepare(block, mixture)
    return loops.log_joint(rows, table, len(block)).reshape(len(block), -1)[:, : mixture.k]


def count_cuts(block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
    """Return the statistics of the records that meet each cut, within its component, (., c)."""
    layout = mixture.layout
    rows, table, gaussians = _prepare(block, mixture)
    order = np.argsort(cuts.parent, kind="stable")
    rules = cuts.take(order)
    starts = _starts(rules.parent, mixture.k)
    # By rule: a place for every value and, after each attribute, for unknown ones; the weight.
    weight = layout.n_values + layout.n_categorical
    counts = np.zeros((len(cuts), weight + 1))
    loops.count_cuts(
        rows,
        block.weights,
        table,
        (starts, rules.attribute, rules.value),
        (
            block.codes.astype(np.uint32),
            block.numbers,
            layout.offsets[:-1] + np.arange(layout.n_categorical),
        ),
        (counts, rows[1]),
        ACTIVE,
    )
    sums = np.zeros((layout.n_sums, len(cuts)))
    sums[: layout.n_values + 1, order] = counts[:, [*layout.spaced, weight]].T
    if gaussians:
        moments = gaussians.cut_moments(rows[1], starts, rules, ACTIVE)
        sums[layout.n_values + 1 :, order] = moments
    return Stats(layout, sums, 0.0)


def expect_halves(block: Block, mixture: Mixture, halves: Halves) -> HalfStats:
    """Return the statistics of each parent's records shared between the two of each pair."""
    layout = mixture.layout
    rows, table, _ = _prepare(block, mixture)
    # A pair sees the records of its parent only, so that smaller tables suit it.
    plan, codes = fused(block, layout, 2 * len(block) // mixture.k)
    groups, half_table = _half_table(halves, plan)
    width = groups.width
    gaussians, extra = _numbers(block, halves.mixture, groups)
    counts, sums = aligned(len(half_table), np.float64), np.zeros((layout.n_sums, width))
    gains = np.zeros((len(groups.parents), width // len(groups.parents) // 2))
    kept = np.zeros_like(extra)
    loops.expect_halves(
        rows,
        block.weights,
        table,
        (groups.parents, mixture.alpha, (codes, extra, width), half_table),
        (plan.starts, plan.members),
        (counts, sums, gains, kept),
        ACTIVE,
    )
    if gaussians:
        sums[layout.n_values + 1 :] = gaussians.moments(kept)
    return HalfStats(Stats(layout, sums[:, groups.at], 0.0), gains.ravel()[groups.pairs])


def _prepare(block: Block, mixture: Mixture) -> tuple[Rows, Flat, Gaussians | None]:
    plan, codes = fused(block, mixture.layout, len(block))
    gaussians, extra = _numbers(block, mixture)
    table = _mixture_table(mixture, plan, np.float64)
    return (codes, extra, padded(mixture.k)), table, gaussians


def _numbers(
    block: Block, mixture: Mixture, groups: _Groups | None = None
) -> tuple[Gaussians | None, Floats]:
    """Return the numbers of a block under a mixture and their log densities, if there are any."""
    if not mixture.layout.n_numeric:
        return None, NO_NUMBERS
    place = (groups.at, groups.width) if groups else (None, None)
    gaussians = Gaussians(block, mixture, *place)
    return gaussians, gaussians.log_density()


# A pass asks once for every block. A mixture is its own key.
@lru_cache(maxsize=4)
def _mixture_table(mixture: Mixture, plan: Plan, precision: type[np.floating]) -> Flat:
    return _table(mixture.p, mixture.alpha, plan, padded(mixture.k), precision)


@lru_cache(maxsize=4)
def _half_table(halves: Halves, plan: Plan) -> tuple[_Groups, Flat]:
    groups = _Groups.of(halves.parent)
    p, alpha = groups.place(halves.mixture.p), groups.place(halves.mixture.alpha)
    return groups, _table(p, alpha, plan, groups.width, np.float64)


def _table(p: Floats, alpha: Floats, plan: Plan, width: int, precision: type[np.floating]) -> Flat:
    table = aligned(plan.n_rows * width, precision)
    log_zero = SINGLE_LOG_ZERO if precision is np.float32 else LOG_ZERO
    loops.join(p, alpha, log_zero, (plan.starts, plan.members), width, table)
    return table


@dataclass(frozen=True, eq=False)
class _Groups:
    """Where the pairs of each parent stand: a group for each, the seconds after all the firsts."""

    parents: Ints
    width: int
    pairs: Ints
    at: Ints

    @classmethod
    def of(cls, parent: Ints) -> _Groups:
        if np.any(np.diff(parent) < 0):
            raise AssertionError("pairs must be sorted by their parent")
        parents, first, n_pairs = np.unique(parent, return_index=True, return_counts=True)
        half = padded(int(n_pairs.max()))
        group = np.repeat(np.arange(len(parents)), n_pairs)
        within = np.arange(len(parent)) - first[group]
        left = group * 2 * half + within
        at = np.stack([left, left + half], axis=1).ravel()
        width = len(parents) * 2 * half
        return cls(parents.astype(np.intp), width, group * half + within, at)

    def place(self, columns: Floats) -> Floats:
        """Return the pairs' columns in their places, zero in between."""
        placed = np.zeros((*columns.shape[:-1], self.width))
        placed[..., self.at] = columns
        return placed


def _starts(parent: Ints, k: int) -> Ints:
    """Return where each parent's run begins in a sorted list of parents, (k + 1,)."""
    return np.searchsorted(parent, np.arange(k + 1)).astype(np.intp)
