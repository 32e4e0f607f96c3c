"""The specification: one block x parameters -> statistics, in plain numpy.

Every other kernel has these functions with these signatures and agrees with them.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from galileomix.model.cuts import Cuts, HalfStats, Halves
from galileomix.model.params import Floats, Layout, Mixture, safe_log
from galileomix.model.stats import Stats
from galileomix.table import Block

ACTIVE = 1e-6
"""A component with a smaller share of a record takes no part in parting that record in two."""


def log_joint(block: Block, mixture: Mixture) -> Floats:
    """Return log alpha_i + log Pr(x_a | C_i), (n, k) (Eq. naivebayes)."""
    log_p = safe_log(mixture.p)
    joint = np.tile(safe_log(mixture.alpha), (len(block), 1))
    for m, (offset, cardinality) in enumerate(_attributes(mixture.layout)):
        code = block.codes[:, m].astype(np.intp)
        known = code < cardinality
        joint[known] += log_p[offset + code[known]]
    for q in range(mixture.layout.n_numeric):
        x = block.numbers[:, q]
        known = ~np.isnan(x)
        joint[known] += _log_gaussian(x[known, None], mixture.mu[q], mixture.var[q])
    return joint


def share(block: Block, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return each record's weight as shared among the components, (n, k), and log Pr(x_a)."""
    joint = log_joint(block, mixture)
    log_density = np.asarray(logsumexp(joint, axis=1))
    return block.weights[:, None] * np.exp(joint - log_density[:, None]), log_density


def expect(block: Block, mixture: Mixture) -> Stats:
    """Return the statistics of a block shared out under a mixture (Eq. bayes)."""
    shares, log_density = share(block, mixture)
    return count(block, mixture.layout, shares, float(block.weights @ log_density))


def count(block: Block, layout: Layout, shares: Floats, log_likelihood: float) -> Stats:
    """Return the statistics of records that belong to components by given shares, (n, k)."""
    counts = np.zeros((layout.n_values, shares.shape[1]))
    for m, (offset, cardinality) in enumerate(_attributes(layout)):
        code = block.codes[:, m].astype(np.intp)
        known = code < cardinality
        np.add.at(counts, offset + code[known], shares[known])
    seen = ~np.isnan(block.numbers)
    x = np.where(seen, block.numbers, 0.0)
    moments = seen.astype(float).T @ shares, x.T @ shares, (x**2).T @ shares
    return Stats(layout, shares.sum(axis=0), counts, *moments, log_likelihood)


def count_cuts(block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
    """Return the statistics of the records that meet each cut, within its component, (., c)."""
    shares, _ = share(block, mixture)
    M = mixture.layout.n_categorical
    met = np.empty((len(block), len(cuts)))
    for c, (attribute, value) in enumerate(zip(cuts.attribute, cuts.value, strict=True)):
        if attribute < M:
            met[:, c] = block.codes[:, attribute] == value
        else:
            met[:, c] = block.numbers[:, attribute - M] > value
    shares = np.where(shares > ACTIVE * block.weights[:, None], shares, 0.0)
    return count(block, mixture.layout, shares[:, cuts.parent] * met, 0.0)


def expect_halves(block: Block, mixture: Mixture, halves: Halves) -> HalfStats:
    """Return the statistics of each parent's records shared between the two of each pair."""
    shares, _ = share(block, mixture)
    shares = np.where(shares > ACTIVE * block.weights[:, None], shares, 0.0)[:, halves.parent]
    joint = log_joint(block, halves.mixture).reshape(len(block), -1, 2)
    log_density = np.asarray(logsumexp(joint, axis=2))
    within = shares[:, :, None] * np.exp(joint - log_density[:, :, None])
    stats = count(block, mixture.layout, within.reshape(len(block), -1), 0.0)
    return HalfStats(stats, (shares * log_density).sum(axis=0))


def _attributes(layout: Layout) -> zip[tuple[int, int]]:
    return zip(layout.offsets[:-1].tolist(), layout.cardinalities, strict=True)


def _log_gaussian(x: Floats, mu: Floats, var: Floats) -> Floats:
    return -0.5 * (np.log(2 * np.pi * var) + (x - mu) ** 2 / var)
