"""The same functions as `reference`, compiled, over joint columns (see `fuse`).

What is prepared from a block or a mixture is kept with it (``cache``): a pass asks for the tables
of its mixture once for every block. Two threads may both prepare one; either result will do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, TypeVar

import numpy as np

from galileomix._kernels import loops
from galileomix._kernels.fuse import Plan, fused
from galileomix._kernels.gaussian.gaussian_numba import Numbers, numbers_of
from galileomix._kernels.loops import Cells, Flat, Pairs, Rows, Rules, Sums
from galileomix._kernels.reference import ACTIVE, census, distances
from galileomix._kernels.tile import LANES, padded
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import LOG_ZERO, Floats, Ints, Layout, Mixture
from galileomix._model.stats import MoveStats, Stats
from galileomix._table import Block

__all__ = [
    "census",
    "count_cuts",
    "distances",
    "draft",
    "expect",
    "expect_halves",
    "log_joint",
]

T = TypeVar("T")

NO_NUMBERS = np.zeros(0)
MOST_WORK = 500_000_000
"""Additions in one call: some tenths of a second."""
SLACK = 1e-6
"""What rounding may do to a log share."""
SINGLE_LOG_ZERO = np.float32(-1e4)
"""What stands for log 0 in single precision: `LOG_ZERO` would leave no digits for the rest."""


def expect(block: Block, mixture: Mixture) -> Stats:
    """Return the statistics of a block shared out under a mixture."""
    return _summed(partial(_expect, mixture=mixture, precision=np.float64), block, _work(mixture))


def draft(block: Block, mixture: Mixture) -> Stats:
    """Return nearly the same as `expect`, sooner: single precision inside, doubles outside.

    The log-likelihood is good to some 1e-8 of itself and the counts to 1e-5.
    """
    return _summed(partial(_expect, mixture=mixture, precision=np.float32), block, _work(mixture))


def _expect(block: Block, mixture: Mixture, precision: type[np.floating]) -> Stats:
    layout, k = mixture.layout, mixture.k
    rows, numbers, plan = _prepare(block, mixture, precision)
    sums = np.zeros((layout.n_sums, k))
    shares = rows.log_density  # its room is reused: see `Sums`
    log_likelihood = loops.expect(rows, block.weights, plan.members, Sums(sums, shares))
    if numbers:
        sums[layout.n_values + 1 :] = numbers.moments(shares)[:, :k]
    return Stats(layout, sums, log_likelihood)


def log_joint(block: Block, mixture: Mixture) -> Floats:
    """Return log alpha_i + log Pr(x_a | C_i), (n, k)."""
    parts = [_log_joint(part, mixture) for part in _parts(block, _work(mixture))]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _log_joint(block: Block, mixture: Mixture) -> Floats:
    rows, _, _ = _prepare(block, mixture)
    return loops.log_joint(rows).reshape(len(block), -1)[:, : mixture.k]


def count_cuts(block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
    """Return the statistics of the records that meet each cut, within its component, (., c)."""
    # A record is of about one component, and meets the cuts of that; their sums stand apart.
    work = _work(mixture) + LANES * len(cuts) // mixture.k * _cells(mixture.layout)
    return _summed(partial(_count_cuts, mixture=mixture, cuts=cuts), block, work)


def _count_cuts(block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
    layout = mixture.layout
    rows, numbers, _ = _prepare(block, mixture)
    order = np.argsort(cuts.parent, kind="stable")
    sorted_cuts = cuts.take(order)
    starts = np.searchsorted(sorted_cuts.parent, np.arange(mixture.k + 1)).astype(np.intp)
    rules = Rules(starts, sorted_cuts.attribute, sorted_cuts.value, ACTIVE)
    firsts = layout.offsets[:-1] + np.arange(layout.n_categorical)
    cells = Cells(block.codes.astype(np.uint32), block.numbers, firsts)
    # By rule: a place for every value and, after each attribute, for missing ones; the weight.
    weight = layout.n_values + layout.n_categorical
    counts = np.zeros((len(cuts), weight + 1))
    shares = rows.log_density  # its room is reused: see `Sums`
    loops.count_cuts(rows, block.weights, rules, cells, counts, shares)
    sums = np.zeros((layout.n_sums, len(cuts)))
    values = np.arange(layout.n_values) + layout.attribute_of_value
    sums[: layout.n_values + 1, order] = counts[:, [*values, weight]].T
    if numbers:
        sums[layout.n_values + 1 :, order] = numbers.cut_moments(cells, rules, shares)
    return Stats(layout, sums, 0.0)


def expect_halves(block: Block, mixture: Mixture, halves: Halves) -> MoveStats:
    """Return the statistics of each parent's records shared between the two of each pair."""
    work = _work(mixture) + _work(halves.mixture)
    one = _expect_halves_by_parent if mixture.layout.n_numeric else _expect_halves
    return _summed(partial(one, mixture=mixture, halves=halves), block, work)


def _expect_halves_by_parent(block: Block, mixture: Mixture, halves: Halves) -> MoveStats:
    """Return the same, parent by parent.

    Numbers have a density under every pair for every record of a block: so each parent is given
    the records that it has a part in, and no others.
    """
    joint = _log_joint(block, mixture)
    top = joint.max(axis=1)
    least = top + np.log(np.exp(joint - top[:, None]).sum(axis=1)) + np.log(ACTIVE)
    parts = []
    for pairs in _by_parent(halves):
        held = np.flatnonzero(joint[:, pairs.parent[0]] >= least - SLACK)
        parts.append(_expect_halves(block.rows(held), mixture, pairs))
    sums = np.concatenate([part.stats.sums for part in parts], axis=1)
    gains = np.concatenate([part.gains for part in parts])
    return MoveStats(Stats(mixture.layout, sums, 0.0), gains)


def _by_parent(halves: Halves) -> list[Halves]:
    """Return the pairs of each parent; kept with their mixture, as all that blocks share."""
    found = halves.mixture.cache.get(_by_parent)
    if found is None:
        of_parent = [np.flatnonzero(halves.parent == i) for i in np.unique(halves.parent)]
        found = halves.mixture.cache[_by_parent] = [halves.take(pairs) for pairs in of_parent]
    return found


def _expect_halves(block: Block, mixture: Mixture, halves: Halves) -> MoveStats:
    layout = mixture.layout
    rows, _, _ = _prepare(block, mixture)
    # A pair sees the records of its parent only, so that smaller tables suit it.
    plan, codes = fused(block, layout, 2 * len(block) // mixture.k)
    groups, table = _half_table(halves, plan)
    width = groups.width
    numbers, log_density = _numbers(block, halves.mixture, groups.at, width)
    pairs = Pairs(groups.parents, mixture.alpha, Rows(codes, table, width, log_density), ACTIVE)
    sums = np.zeros((layout.n_sums, width))
    # Of records that a parent has no part in, no share is written: they stay zero.
    shares = np.zeros_like(log_density)
    gains = np.zeros((len(groups.parents), width // len(groups.parents) // 2))
    loops.expect_halves(rows, block.weights, pairs, plan.members, Sums(sums, shares), gains)
    if numbers:
        sums[layout.n_values + 1 :] = numbers.moments(shares)
    return MoveStats(Stats(layout, sums[:, groups.at], 0.0), gains.ravel()[groups.pairs])


def _placed(columns: Floats, at: Ints, width: int) -> Floats:
    """Return columns in their places, zero in between."""
    placed = np.zeros((*columns.shape[:-1], width))
    placed[..., at] = columns
    return placed


def _work(mixture: Mixture) -> int:
    """Return how many additions a record takes."""
    return padded(mixture.k) * _cells(mixture.layout)


def _cells(layout: Layout) -> int:
    """Return how many values, numbers and products of numbers a record counts in."""
    products = layout.n_numeric if layout.diagonal else layout.n_numeric**2
    return layout.n_categorical + layout.n_numeric + products + 1


def _parts(block: Block, work: int) -> list[Block]:
    """Return a block in parts that take little time each: between them signals are answered."""
    rows = max(loops.TILE, MOST_WORK // work)
    if rows >= len(block):
        return [block]
    return [block.rows(slice(a, a + rows)) for a in range(0, len(block), rows)]


def _summed(f: Callable[[Block], T], block: Block, work: int) -> T:
    """Return the sum of f over the parts of a block; ``work`` is what a record takes."""
    return reduce(_add, map(f, _parts(block, work)))


def _add(left: Any, right: Any) -> Any:
    return left + right


def _prepare(
    block: Block, mixture: Mixture, precision: type[np.floating] = np.float64
) -> tuple[Rows, Numbers | None, Plan]:
    """Return the records of a block under a mixture."""
    plan, codes = fused(block, mixture.layout, len(block))
    width = padded(mixture.k)
    numbers, log_density = _numbers(block, mixture, slice(mixture.k), width)
    table = mixture.cache.get((plan, precision))
    if table is None:
        table = _table(mixture.p, mixture.alpha, plan, width, precision)
        mixture.cache[plan, precision] = table
    return Rows(codes, table, width, log_density.astype(precision, copy=False)), numbers, plan


def _numbers(
    block: Block, mixture: Mixture, at: Ints | slice, width: int
) -> tuple[Numbers | None, Floats]:
    """Return the numbers of a block under a mixture and their log densities, if there are any."""
    if not mixture.layout.n_numeric:
        return None, NO_NUMBERS
    numbers = numbers_of(block, mixture, at, width)
    return numbers, numbers.log_density()


def _half_table(halves: Halves, plan: Plan) -> tuple[Groups, Flat]:
    cache = halves.mixture.cache
    groups = cache.get(Groups)
    if groups is None:
        groups = cache[Groups] = Groups.of(halves.parent)
    table = cache.get(plan)
    if table is None:
        p, alpha = groups.place(halves.mixture.p), groups.place(halves.mixture.alpha)
        table = cache[plan] = _table(p, alpha, plan, groups.width, np.float64)
    return groups, table


def _table(p: Floats, alpha: Floats, plan: Plan, width: int, precision: type[np.floating]) -> Flat:
    log_zero = SINGLE_LOG_ZERO if precision is np.float32 else LOG_ZERO
    return loops.join(p, alpha, log_zero, plan.members, width)


@dataclass(frozen=True, eq=False)
class Groups:
    """Where the pairs of each parent stand: a group for each, the seconds after all the firsts."""

    parents: Ints
    width: int
    pairs: Ints
    at: Ints

    @classmethod
    def of(cls, parent: Ints) -> Groups:
        """Return the places of pairs within these parents."""
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
        return _placed(columns, self.at, self.width)
