"""The same functions as `reference`, compiled, over joint columns (see `fuse`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from galileomix.kernels import loops
from galileomix.kernels.fuse import Plan, fused
from galileomix.kernels.reference import ACTIVE
from galileomix.model.cuts import Cuts, HalfStats, Halves
from galileomix.model.params import Floats, Ints, Mixture, safe_log
from galileomix.model.stats import Stats
from galileomix.table import Block


def expect(block: Block, mixture: Mixture) -> Stats:
    """Return the statistics of a block shared out under a mixture."""
    layout, k = mixture.layout, mixture.k
    plan, rows, tables = _prepare(block, mixture)
    values = np.zeros((layout.n_values + 1, k))
    moments = np.zeros(tables[1].shape)
    log_likelihood = loops.expect(rows, tables, (plan.starts, plan.members), values, moments)
    seen, total, square = moments[:, :, 0, :k]
    return Stats(layout, values[-1], values[:-1], seen, total, square, log_likelihood)


def log_joint(block: Block, mixture: Mixture) -> Floats:
    """Return log alpha_i + log Pr(x_a | C_i), (n, k)."""
    _, rows, tables = _prepare(block, mixture)
    return loops.log_joint(rows, tables)[:, : mixture.k]


def count_cuts(block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
    """Return the statistics of the records that meet each cut, within its component, (., c)."""
    layout = mixture.layout
    _, rows, tables = _prepare(block, mixture)
    order = np.argsort(cuts.parent, kind="stable")
    rules = cuts.take(order)
    # By rule, and with a spare place after each attribute for unknown values.
    weight = np.zeros(len(cuts))
    counts = np.zeros((len(cuts), layout.n_values + layout.n_categorical))
    moments = np.zeros((len(cuts), 3, layout.n_numeric))
    loops.count_cuts(
        rows,
        tables,
        (_starts(rules.parent, mixture.k), rules.attribute, rules.value),
        (block.codes, layout.offsets[:-1] + np.arange(layout.n_categorical)),
        (weight, counts, moments),
        ACTIVE,
    )
    back = np.argsort(order, kind="stable")
    counts = np.ascontiguousarray(counts[back][:, layout.spaced].T)
    seen, total, square = np.ascontiguousarray(moments[back].transpose(1, 2, 0))
    return Stats(layout, weight[back], counts, seen, total, square, 0.0)


def expect_halves(block: Block, mixture: Mixture, halves: Halves) -> HalfStats:
    """Return the statistics of each parent's records shared between the two of each pair."""
    layout = mixture.layout
    _, rows, tables = _prepare(block, mixture)
    # A pair sees the records of its parent only, so that smaller tables suit it.
    plan, codes = fused(block, layout, 2 * len(block) // mixture.k)
    groups, half_tables = _half_tables(halves, plan)
    (n_groups, width), at = groups.shape, groups.at
    values = np.zeros((layout.n_values + 1, n_groups * width))
    moments = np.zeros(half_tables[1].shape)
    log_likelihoods = np.zeros((n_groups, width // 2))
    loops.expect_halves(
        rows,
        tables,
        (groups.parents, codes, half_tables),
        (plan.starts, plan.members),
        (values, moments, log_likelihoods),
        ACTIVE,
    )
    values = values[:, at]
    seen, total, square = moments.reshape(3, layout.n_numeric, n_groups * width)[:, :, at]
    stats = Stats(layout, values[-1], values[:-1], seen, total, square, 0.0)
    return HalfStats(stats, log_likelihoods.ravel()[at[::2] // 2])


def _prepare(block: Block, mixture: Mixture) -> tuple[Plan, loops.Rows, loops.Tables]:
    plan, codes = fused(block, mixture.layout, len(block))
    return plan, (codes, block.numbers, block.weights), _mixture_tables(mixture, plan)


# A pass asks once for every block. A mixture is its own key.
@lru_cache(maxsize=4)
def _mixture_tables(mixture: Mixture, plan: Plan) -> loops.Tables:
    return _tables(_log_values(mixture), _gaussians(mixture), plan, (1, _padded(mixture.k)))


@lru_cache(maxsize=4)
def _half_tables(halves: Halves, plan: Plan) -> tuple[_Groups, loops.Tables]:
    groups = _Groups.of(halves.parent)
    values = groups.place(_log_values(halves.mixture))
    gaussians = groups.place(_gaussians(halves.mixture))
    return groups, _tables(values, gaussians, plan, groups.shape)


def _log_values(mixture: Mixture) -> Floats:
    """Return log p and, as its last row, log alpha, (V + 1, k)."""
    return safe_log(np.concatenate((mixture.p, mixture.alpha[None])))


def _gaussians(mixture: Mixture) -> Floats:
    """Return mu, 1 / (2 var) and log sqrt(2 pi var), (3, Q, k)."""
    if not mixture.layout.n_numeric:
        return np.zeros((3, 0, mixture.k))
    half_log_var = 0.5 * np.log(2 * np.pi * mixture.var)
    return np.stack((mixture.mu, 0.5 / mixture.var, half_log_var))


def _tables(values: Floats, gaussians: Floats, plan: Plan, shape: tuple[int, int]) -> loops.Tables:
    width = shape[0] * shape[1]
    table = loops.spread(values, plan.starts, plan.members, width)
    Q, k = gaussians.shape[1:]
    padded = np.zeros((3, Q, width))
    padded[:, :, :k] = gaussians
    return table.reshape(plan.n_rows, *shape), padded.reshape(3, Q, *shape)


@dataclass(frozen=True, eq=False)
class _Groups:
    """Where the pairs of each parent stand: in rows of one width, one row per parent."""

    parents: Ints
    shape: tuple[int, int]
    at: Ints

    @classmethod
    def of(cls, parent: Ints) -> _Groups:
        if np.any(np.diff(parent) < 0):
            raise AssertionError("pairs must be sorted by their parent")
        parents, first, n_pairs = np.unique(parent, return_index=True, return_counts=True)
        width = _padded(2 * int(n_pairs.max()))
        group = np.repeat(np.arange(len(parents)), n_pairs)
        left = group * width + 2 * (np.arange(len(parent)) - first[group])
        at = np.stack([left, left + 1], axis=1).ravel()
        return cls(parents.astype(np.intp), (len(parents), width), at)

    def place(self, columns: Floats) -> Floats:
        """Return the pairs' columns in their places, zero in between."""
        placed = np.zeros((*columns.shape[:-1], self.shape[0] * self.shape[1]))
        placed[..., self.at] = columns
        return placed


def _padded(k: int) -> int:
    return -(-k // loops.LANES) * loops.LANES


def _starts(parent: Ints, k: int) -> Ints:
    """Return where each parent's run begins in a sorted list of parents, (k + 1,)."""
    return np.searchsorted(parent, np.arange(k + 1)).astype(np.intp)
