"""The Gaussian: what there is to know of the numbers of a component, all of them together.

`categorical` has functions of the same names for attributes with values; `families` puts the two
together. Numbers are in the standardised units of the schema; NaN is a missing number.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from galileomix._model.cuts import Cuts
from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.stats import TINY, Background, Stats

TRACE = 1e-6
"""Records of which the moments are rounding."""
FLAT = float(np.finfo(float).eps)
"""The variance of a column that is constant."""
NARROWEST = 1e-3
"""The least width of a component in any direction, as a share of that of all records."""
ROUNDING = 1e-9
"""What rounding may leave of a scatter, as a share of the sums it is the difference of."""
THRESHOLDS = np.array([0.0, -0.7, 0.7])
"""Where a number is cut, in standard deviations from its mean."""


def scatter(stats: Stats) -> Floats:
    """Return the sums of products of two numbers' distances from their means, (Q, Q, k).

    Where next to no record is left, what is left of the sums is rounding: there it is zero.
    """
    some = stats.weight > TRACE
    held = np.where(some, stats.weight, 1.0)
    found = np.where(some, stats.product - stats.total[:, None] * stats.total[None] / held, 0.0)
    diagonal = np.eye(stats.layout.n_numeric)[:, :, None]
    return found * diagonal if stats.layout.diagonal else found


def background(stats: Stats) -> tuple[Floats, Floats, Floats]:
    """Return mean, covariance and width of the numbers over all records, (Q, 1), (Q, Q, 1), (Q,).

    A constant column has no spread; one unit of width keeps its likelihood finite.
    """
    held = np.maximum(stats.weight, TINY)
    Sigma = scatter(stats) / held
    flat = np.einsum("qqi->qi", Sigma)[:, 0] <= FLAT
    Sigma[flat] = Sigma[:, flat] = 0.0
    Sigma[flat, flat] = 1.0
    width = np.sqrt(np.einsum("qqi->qi", Sigma)[:, 0])
    return stats.total / held, not_flat(Sigma, width), width


def maximise(stats: Stats, background: Background, s: float) -> tuple[Floats, Floats]:
    """M-step: means, and Sigma_i = (scatter_i + s Sigma_G) / (N_i + s), nowhere too narrow."""
    layout = stats.layout
    if not layout.n_numeric:
        return stats.total, stats.product
    s = max(s, background.least)
    N = stats.weight
    mu = np.where(N > TRACE, stats.total / np.maximum(N, TRACE), background.mu)
    Sigma = (scatter(stats) + s * background.Sigma) / np.maximum(N + s, TRACE)
    for q in layout.constant:
        Sigma[q] = Sigma[:, q] = 0.0
        Sigma[q, q] = background.Sigma[q, q]
    return mu, not_flat(Sigma, background.width)


def not_flat(Sigma: Floats, width: Floats) -> Floats:
    """Return the nearest covariances that are nowhere narrower than `NARROWEST` of the width.

    Among these the likelihood is greatest where the eigenvalues that are too small, relative to
    the width of all records, are raised to the least allowed. So columns that say the same cost
    every component alike.

    Examples
    --------
    >>> not_flat(np.array([[[1.0], [2.0]], [[2.0], [4.0]]]), np.array([1.0, 2.0])).round(7)[:, :, 0]
    array([[1.0000005, 1.999999 ],
           [1.999999 , 4.000002 ]])
    """
    if not len(width):
        return Sigma
    scale = (width[:, None] * width[None])[:, :, None]
    relative = (Sigma / scale).transpose(2, 0, 1)
    try:
        # Cheaper than the eigenvalues, and mostly all there is to do.
        np.linalg.cholesky(relative - NARROWEST**2 * np.eye(len(width)))
        return Sigma
    except np.linalg.LinAlgError:
        eigenvalues, axes = np.linalg.eigh(relative)
    raised = np.maximum(eigenvalues, NARROWEST**2)
    rebuilt = np.einsum("iqe,ie,ire->qri", axes, raised, axes)
    wide = eigenvalues[:, 0] >= NARROWEST**2
    return np.where(wide, Sigma, rebuilt * scale)


def log_prior(mixture: Mixture, background: Background, s: float) -> float:
    """Return the log-density of the prior on the covariances, up to a constant."""
    strength = max(s, background.least)
    if not mixture.layout.n_numeric or strength <= 0:
        return 0.0
    pull = mixture.log_det.sum() + (mixture.precision * background.Sigma).sum()
    return -0.5 * strength * float(pull)


def own_log_likelihood(stats: Stats, mixture: Mixture) -> tuple[Floats, ...]:
    """Return the log-likelihood of each component's own records, (k,), as terms to add up.

    Of missing numbers as if they were what the component expects.
    """
    Q = stats.layout.n_numeric
    if not Q:
        return ()
    away = mixture.mu - stats.total / np.maximum(stats.weight, TRACE)
    spread = scatter(stats) + stats.weight * away[:, None] * away[None]
    level = -0.5 * stats.weight * (Q * np.log(2 * np.pi) + mixture.log_det)
    return level, -0.5 * (mixture.precision * spread).sum(axis=(0, 1))


def log_volume(mixture: Mixture) -> Floats:
    """Return the sum of log sigma on the principal axes, (k,): half of log det Sigma_i."""
    return 0.5 * mixture.log_det


def is_possible(stats: Stats) -> bool:
    """Whether numbers can have these moments."""
    if not stats.layout.n_numeric:
        return True
    spread = np.linalg.eigvalsh(scatter(stats).transpose(2, 0, 1))
    size = np.einsum("qqi->i", stats.product)
    return bool((spread[:, 0] >= -ROUNDING * size).all())


def smoothed(mixture: Mixture, background: Background, held: Floats, s: float) -> Floats:
    """Return Sigma = (N_i Sigma + s Sigma_G) / (N_i + s), with N_i held by each component."""
    return (held * mixture.Sigma + s * background.Sigma) / np.maximum(held + s, TINY)


def around(numbers: Floats, layout: Layout, background: Background) -> tuple[Floats, Floats]:
    """Return mean and covariance of all records and as many of each centre, (k, Q), together."""
    known = ~np.isnan(numbers.T)
    away = np.where(known, numbers.T - background.mu, 0.0)
    narrower = np.where(known, np.sqrt(0.5), 1.0)
    Sigma = narrower[:, None] * narrower[None] * background.Sigma
    if not layout.diagonal:
        Sigma = Sigma + away[:, None] * away[None] / 4.0
    else:
        Sigma = Sigma + np.eye(len(away))[:, :, None] * (away**2 / 4.0)
    return background.mu + away / 2.0, Sigma


def draw_marginals(background: Background, k: int, rng: np.random.Generator) -> Floats:
    """Draw the numbers of k centres one by one from their distribution over all records, (k, Q)."""
    spread = np.sqrt(background.var[:, 0])
    return background.mu[:, 0] + spread * rng.standard_normal((k, len(spread)))


def cuts(mixture: Mixture, i: int) -> Cuts:
    """Return cuts of every number of component i at its mean and to each side of it."""
    mu, sigma = mixture.mu[:, i], np.sqrt(mixture.var[:, i])
    value = mu[:, None] + sigma[:, None] * THRESHOLDS
    attribute = mixture.layout.n_categorical + np.repeat(np.arange(len(mu)), len(THRESHOLDS))
    return Cuts(np.full(value.size, i), attribute, value.ravel())


def patterns(numbers: Floats) -> Iterator[tuple[Ints, NDArray[np.bool_]]]:
    """Yield the rows with the same missing numbers, and which of their numbers are known."""
    if numbers.shape[1]:
        known = ~np.isnan(numbers)
        different, which = np.unique(known, axis=0, return_inverse=True)
        for j, pattern in enumerate(different):
            yield np.flatnonzero(which.reshape(-1) == j), pattern


def expected(
    x: Floats, known: NDArray[np.bool_], mu: Floats, Sigma: Floats
) -> tuple[Floats, Floats]:
    """Return what a component expects of records, and the covariance that is left."""
    here, gone = np.ix_(known, known), np.ix_(~known, known)
    slope = np.linalg.solve(Sigma[here], Sigma[gone].T).T
    filled = x.copy()
    filled[:, ~known] = mu[~known] + (x[:, known] - mu[known]) @ slope.T
    left = np.zeros_like(Sigma)
    left[np.ix_(~known, ~known)] = Sigma[np.ix_(~known, ~known)] - slope @ Sigma[gone].T
    return filled, left


def conditional_moments(numbers: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return the mean and variance of every number given the known ones, (n, Q, k).

    A known number is its own mean, and has no variance; nor has one that is always the same.
    """
    mean = np.empty((*numbers.shape, mixture.k))
    variance = np.empty_like(mean)
    for rows, known in patterns(numbers):
        for i in range(mixture.k):
            filled, left = expected(numbers[rows], known, mixture.mu[:, i], mixture.Sigma[:, :, i])
            mean[rows, :, i] = filled
            variance[rows, :, i] = np.diag(left)
    variance[:, list(mixture.layout.constant)] = 0.0  # their width is there for the likelihood
    return mean, variance


def draw(numbers: Floats, mixture: Mixture, component: Ints, rng: np.random.Generator) -> Floats:
    """Return records with a draw for every missing number, given the known ones."""
    away = rng.standard_normal(numbers.shape)
    away[:, list(mixture.layout.constant)] = 0.0
    drawn = numbers.copy()
    for rows, known in patterns(numbers):
        for i in np.unique(component[rows]):
            mine = rows[component[rows] == i]
            mean, left = expected(numbers[mine], known, mixture.mu[:, i], mixture.Sigma[:, :, i])
            gone = np.flatnonzero(~known)
            root = np.linalg.cholesky(left[np.ix_(gone, gone)])
            drawn[np.ix_(mine, gone)] = mean[:, gone] + away[np.ix_(mine, gone)] @ root.T
    return drawn
