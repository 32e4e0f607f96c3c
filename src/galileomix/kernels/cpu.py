"""The same functions as `reference`, compiled, over joint columns (see `fuse`)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from galileomix.kernels import loops
from galileomix.kernels.fuse import Plan, fused
from galileomix.kernels.reference import ACTIVE
from galileomix.model.cuts import Cuts, Halves, HalfStats
from galileomix.model.params import LOG_ZERO, Floats, Ints, Layout, Mixture
from galileomix.model.stats import Stats
from galileomix.table import Block


def expect(block: Block, mixture: Mixture) -> Stats:
    """Return the statistics of a block shared out under a mixture."""
    plan, rows, tables = _prepare(block, mixture)
    values, moments = _room(mixture)
    members = plan.starts, plan.members
    log_likelihood = loops.expect(rows, tables, members, values, moments)
    return _stats(mixture.layout, values, moments, log_likelihood)


def log_joint(block: Block, mixture: Mixture) -> Floats:
    """Return log alpha_i + log Pr(x_a | C_i), (n, k)."""
    _, rows, tables = _prepare(block, mixture)
    return loops.log_joint(rows, tables, mixture.k)


def pair_counts(block: Block, mixture: Mixture, wide: int) -> Floats:
    """Return how often two values occur together in each component, (k, V, V)."""
    layout = mixture.layout
    _, rows, tables = _prepare(block, mixture)
    firsts = layout.offsets[:-1]
    # No value of a wide attribute lies before its first: all are left out, as unknown ones are.
    lasts = firsts + [each if each <= wide else 0 for each in layout.cardinalities]
    pairs = np.zeros((mixture.k, layout.n_values, layout.n_values))
    attributes = block.codes, firsts, lasts.astype(np.intp)
    loops.pair_counts(rows, tables, attributes, pairs, ACTIVE)
    return pairs


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
    moments = np.ascontiguousarray(moments[back].transpose(1, 2, 0))
    return Stats(layout, weight[back], counts, *moments, 0.0)


def expect_halves(block: Block, mixture: Mixture, halves: Halves) -> HalfStats:
    """Return the statistics of each parent's records shared between the two of each pair."""
    if np.any(np.diff(halves.parent) < 0):
        raise AssertionError("pairs must be sorted by their parent")
    _, rows, tables = _prepare(block, mixture)
    # A pair sees the records of its parent only, so that smaller tables suit it.
    plan, codes = fused(block, mixture.layout, 2 * len(block) // mixture.k)
    values, moments = _room(halves.mixture)
    log_likelihoods = np.zeros(len(halves.parent))
    loops.expect_halves(
        rows,
        tables,
        codes,
        _tables(halves.mixture, plan),
        (plan.starts, plan.members),
        _starts(halves.parent, mixture.k),
        (values, moments, log_likelihoods),
        ACTIVE,
    )
    return HalfStats(_stats(mixture.layout, values, moments, 0.0), log_likelihoods)


def _prepare(block: Block, mixture: Mixture) -> tuple[Plan, loops.Rows, loops.Tables]:
    plan, codes = fused(block, mixture.layout, len(block))
    return plan, (codes, block.numbers, block.weights), _tables(mixture, plan)


# A pass asks once for every block, and for two mixtures at most; a mixture is its own key.
@lru_cache(maxsize=8)
def _tables(mixture: Mixture, plan: Plan) -> loops.Tables:
    V, k = mixture.p.shape
    padded = -(-k // loops.LANES) * loops.LANES
    log_p = np.full((V + 1, padded), LOG_ZERO)
    np.log(mixture.p, out=log_p[:V, :k], where=mixture.p > 0)
    np.log(mixture.alpha, out=log_p[V, :k], where=mixture.alpha > 0)
    log_p[V, k:] = -np.inf
    gaussians = np.zeros((3, mixture.layout.n_numeric, padded))
    if mixture.layout.n_numeric:
        gaussians[0, :, :k] = mixture.mu
        gaussians[1, :, :k] = 0.5 / mixture.var
        gaussians[2, :, :k] = 0.5 * np.log(2 * np.pi * mixture.var)
    return loops.spread(log_p, plan.starts, plan.members), gaussians


def _room(mixture: Mixture) -> tuple[Floats, Floats]:
    """Return room for the counts, with a last row for the weights, and for the moments."""
    layout, k = mixture.layout, mixture.k
    return np.zeros((layout.n_values + 1, k)), np.zeros((3, layout.n_numeric, k))


def _stats(layout: Layout, values: Floats, moments: Floats, log_likelihood: float) -> Stats:
    return Stats(layout, values[-1], values[:-1], *moments, log_likelihood)


def _starts(parent: Ints, k: int) -> Ints:
    """Return where each parent's run begins in a sorted list of parents, (k + 1,)."""
    return np.searchsorted(parent, np.arange(k + 1)).astype(np.intp)
