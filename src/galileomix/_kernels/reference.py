"""The specification: one block x parameters -> statistics, in plain numpy.

A kernel (see `kernel`) that every other kernel agrees with.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix._kernels.gaussian import gaussian_reference
from galileomix._model.census import Census
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import Floats, Ints, Layout, Mixture, safe_log
from galileomix._model.stats import MoveStats, Stats
from galileomix._table import Block

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
    return joint + gaussian_reference.log_density(block.numbers, mixture)


def distances(block: Block, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return squared Mahalanobis distances and log det 2 pi Sigma, of known numbers, (n, k)."""
    return gaussian_reference.distances(block.numbers, mixture)


def share(block: Block, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return each record's weight as shared among the components, (n, k), and log Pr(x_a)."""
    joint = log_joint(block, mixture)
    log_density = np.asarray(logsumexp(joint, axis=1))
    return block.weights[:, None] * np.exp(joint - log_density[:, None]), log_density


def expect(block: Block, mixture: Mixture) -> Stats:
    """Return the statistics of a block shared out under a mixture (Eq. bayes)."""
    shares, log_density = share(block, mixture)
    every = np.arange(mixture.k)
    return count(block, mixture, shares, every, float(block.weights @ log_density))


draft = expect
"""E-step in single precision, where a kernel has one."""


def count_cuts(block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
    """Return the statistics of the records that meet each cut, within its component, (., c)."""
    shares = active(block, share(block, mixture)[0])[:, cuts.parent]
    shares *= met(block, cuts, mixture.layout.n_categorical)
    return count(block, mixture, shares, cuts.parent)


def expect_halves(block: Block, mixture: Mixture, halves: Halves) -> MoveStats:
    """Return the statistics of each parent's records shared between the two of each pair."""
    shares = active(block, share(block, mixture)[0])[:, halves.parent]
    whole = (log_joint(block, mixture) - safe_log(mixture.alpha))[:, halves.parent]
    joint = log_joint(block, halves.mixture).reshape(len(block), -1, 2)
    log_density = np.asarray(logsumexp(joint, axis=2))
    within = (shares[:, :, None] * np.exp(joint - log_density[:, :, None])).reshape(len(block), -1)
    stats = count(block, halves.mixture, within, np.arange(halves.mixture.k))
    return MoveStats(stats, (shares * (log_density - whole)).sum(axis=0))


def census(block: Block, layout: Layout) -> Census:
    """Count the records of a block without a model."""
    known = (~np.isnan(block.numbers)).astype(float)
    x = np.where(known > 0, block.numbers, 0.0)
    counts = [
        np.bincount(block.codes[:, m], block.weights, cardinality + 1)[:cardinality]
        for m, (_, cardinality) in enumerate(_attributes(layout))
    ]
    sums = np.concatenate([*counts, [block.weights.sum()]])
    held, weighted = block.weights[:, None] * known, block.weights[:, None] * x
    return Census(layout, len(block), sums, held.T @ known, weighted.T @ known, weighted.T @ x)


def count(
    block: Block, mixture: Mixture, shares: Floats, component: Ints, log_likelihood: float = 0.0
) -> Stats:
    """Return the statistics of records by given shares, (n, t).

    Column t is of component ``component[t]`` of the mixture.
    """
    counts = _counts(block, mixture.layout, shares)
    moments = gaussian_reference.moments(block.numbers, mixture, shares, component)
    sums = np.concatenate([counts, shares.sum(axis=0)[None], moments])
    return Stats(mixture.layout, sums, log_likelihood)


def _counts(block: Block, layout: Layout, shares: Floats) -> Floats:
    counts = np.zeros((layout.n_values, shares.shape[1]))
    for m, (offset, cardinality) in enumerate(_attributes(layout)):
        code = block.codes[:, m].astype(np.intp)
        known = code < cardinality
        np.add.at(counts, offset + code[known], shares[known])
    return counts


def active(block: Block, shares: Floats) -> Floats:
    """Return the shares that are large enough to take part in parting a component."""
    return np.where(shares > ACTIVE * block.weights[:, None], shares, 0.0)


def met(block: Block, cuts: Cuts, n_categorical: int) -> NDArray[np.bool_]:
    """Return which records meet each cut, (n, c)."""
    met = np.empty((len(block), len(cuts)), bool)
    for c, (attribute, value) in enumerate(zip(cuts.attribute, cuts.value, strict=True)):
        if attribute < n_categorical:
            met[:, c] = block.codes[:, attribute] == value
        elif (q := attribute - n_categorical) < block.numbers.shape[1]:
            met[:, c] = block.numbers[:, q] > value
        else:
            met[:, c] = block.codes[:, q - block.numbers.shape[1]] <= value
    return met


def _attributes(layout: Layout) -> zip[tuple[int, int]]:
    return zip(layout.offsets[:-1].tolist(), layout.cardinalities, strict=True)
