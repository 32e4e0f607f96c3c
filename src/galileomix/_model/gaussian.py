"""The Gaussian: what there is to know of the numbers of a component, all of them together.

`categorical` has functions of the same names for attributes with values; `families` puts the two
together. Numbers are in the standardised units of the schema; NaN is a missing number.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from galileomix._model import covariance
from galileomix._model.covariance import products, variances
from galileomix._model.cuts import Cuts
from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.stats import TINY, Background, Stats

Flags = NDArray[np.bool_]

TRACE = 1e-6
"""Records of which the moments are rounding."""
FLAT = float(np.finfo(float).eps)
"""The variance of a column that is constant."""
ROUNDING = 1e-9
"""What rounding may leave of a scatter, as a share of the sums it is the difference of."""
THRESHOLDS = np.array([0.0, -0.7, 0.7])
"""Where a number is cut, in standard deviations from its mean."""


def scatter(stats: Stats) -> Floats:
    """Return the sums of products of two numbers' distances from their means, as covariances are.

    Where next to no record is left, what is left of the sums is rounding: there it is zero.
    """
    some = stats.weight > TRACE
    held = np.where(some, stats.weight, 1.0)
    found = stats.product - products(stats.total, stats.layout.diagonal) / held
    return np.where(some, found, 0.0)


def background(stats: Stats) -> tuple[Floats, Floats, Floats]:
    """Return mean, covariance and width of the numbers over all records, (Q, 1), (Q, Q, 1), (Q,).

    A constant column has no spread; one unit of width keeps its likelihood finite.
    """
    held = np.maximum(stats.weight, TINY)
    Sigma = scatter(stats) / held
    covariance.isolate(Sigma, np.flatnonzero(variances(Sigma)[:, 0] <= FLAT), 1.0)
    width = np.sqrt(variances(Sigma)[:, 0])
    return stats.total / held, covariance.not_flat(Sigma, width), width


def maximise(stats: Stats, background: Background, s: float) -> tuple[Floats, Floats]:
    """M-step: means, and Sigma_i = (scatter_i + s Sigma_G) / (N_i + s), nowhere too narrow."""
    layout = stats.layout
    if not layout.n_numeric:
        return stats.total, stats.product
    s = max(s, background.least)
    N = stats.weight
    mu = np.where(N > TRACE, stats.total / np.maximum(N, TRACE), background.mu)
    Sigma = (scatter(stats) + s * background.Sigma) / np.maximum(N + s, TRACE)
    constant = np.array(layout.constant, np.intp)
    covariance.isolate(Sigma, constant, background.var[constant])
    return mu, covariance.not_flat(Sigma, background.width)


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
    spread = scatter(stats) + stats.weight * products(away, stats.layout.diagonal)
    level = -0.5 * stats.weight * (Q * np.log(2 * np.pi) + mixture.log_det)
    return level, -0.5 * covariance.contracted(mixture.precision, spread)


def log_volume(mixture: Mixture) -> Floats:
    """Return the sum of log sigma on the principal axes, (k,): half of log det Sigma_i."""
    return 0.5 * mixture.log_det


def is_possible(stats: Stats) -> bool:
    """Whether numbers can have these moments."""
    if not stats.layout.n_numeric:
        return True
    least = covariance.smallest_eigenvalues(scatter(stats))
    return bool((least >= -ROUNDING * variances(stats.product).sum(axis=0)).all())


def smoothed(mixture: Mixture, background: Background, held: Floats, s: float) -> Floats:
    """Return Sigma = (N_i Sigma + s Sigma_G) / (N_i + s), with N_i held by each component."""
    return (held * mixture.Sigma + s * background.Sigma) / np.maximum(held + s, TINY)


def around(numbers: Floats, layout: Layout, background: Background) -> tuple[Floats, Floats]:
    """Return mean and covariance of all records and as many of each centre, (k, Q), together."""
    known = ~np.isnan(numbers.T)
    away = np.where(known, numbers.T - background.mu, 0.0)
    narrower = products(np.where(known, np.sqrt(0.5), 1.0), layout.diagonal)
    Sigma = narrower * background.Sigma + products(away, layout.diagonal) / 4.0
    return background.mu + away / 2.0, Sigma


def draw_marginals(background: Background, k: int, rng: np.random.Generator) -> Floats:
    """Draw the numbers of k centres one by one from their distribution over all records, (k, Q)."""
    spread = np.sqrt(background.var[:, 0])
    return background.mu[:, 0] + spread * rng.standard_normal((k, len(spread)))


def cuts(mixture: Mixture, i: int, most: int) -> Cuts:
    """Return cuts of the numbers of component i, each at its mean and to each side of it.

    Where that is too many, of those that vary most with others: a cut there parts all of them.
    """
    chosen = np.arange(len(mixture.mu))
    if len(chosen) * len(THRESHOLDS) > most:
        shared = covariance.shared(mixture.Sigma[..., i])
        order = np.argsort(-shared, kind="stable")
        chosen = np.sort(order[: max(1, most // len(THRESHOLDS))])
    mu, sigma = mixture.mu[chosen, i], np.sqrt(mixture.var[chosen, i])
    value = mu[:, None] + sigma[:, None] * THRESHOLDS
    attribute = mixture.layout.n_categorical + np.repeat(chosen, len(THRESHOLDS))
    return Cuts(np.full(value.size, i), attribute, value.ravel())


def by_pattern(known: Flags) -> tuple[Flags, Ints, Ints]:
    """Return which numbers are known together, (P, Q), and the rows of each pattern.

    ``rows[starts[p]:starts[p + 1]]`` know what pattern p says; what knows most comes last.
    """
    n, Q = known.shape
    if known.all():
        return np.ones((1, Q), np.bool_), np.arange(n), np.array([0, n])
    # Rows as bytes, eight numbers to each: sorting these is far quicker than sorting rows.
    packed = np.packbits(known, axis=1)
    keys = packed.view(f"V{packed.shape[1]}").reshape(-1)
    _, first, which, rows = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(which.reshape(-1), kind="stable")
    return known[first], order, np.concatenate([[0], np.cumsum(rows)])


def patterns(numbers: Floats) -> Iterator[tuple[Ints, Flags]]:
    """Yield the rows with the same missing numbers, and which of their numbers are known."""
    if numbers.shape[1]:
        known, rows, starts = by_pattern(~np.isnan(numbers))
        for p, pattern in enumerate(known):
            yield rows[starts[p] : starts[p + 1]], pattern


def regression(known: Flags, mixture: Mixture, i: int) -> tuple[Floats, Floats]:
    """Return the slopes of the missing numbers on the known ones, and the covariance left of them.

    From the covariance of the known numbers, or the inverse covariance of the missing ones,
    whichever is smaller.
    """
    gone = ~known
    if gone.sum() > known.sum():
        Sigma = mixture.Sigma[:, :, i]
        across = Sigma[np.ix_(gone, known)]
        slopes: Floats = np.linalg.solve(Sigma[np.ix_(known, known)], across.T).T.astype(float)
        return slopes, Sigma[np.ix_(gone, gone)] - slopes @ across.T
    precision = mixture.precision[:, :, i]
    left: Floats = np.linalg.inv(precision[np.ix_(gone, gone)]).astype(float)
    return -left @ precision[np.ix_(gone, known)], left


def conditional_moments(numbers: Floats, mixture: Mixture) -> tuple[Floats, Floats]:
    """Return the mean and variance of every number given the known ones, (n, Q, k).

    A known number is its own mean, and has no variance; nor has one that is always the same.
    """
    missing = np.isnan(numbers)[:, :, None]
    mean = np.where(missing, mixture.mu, numbers[:, :, None])
    variance = np.where(missing, mixture.var, 0.0)
    for rows, known in () if mixture.layout.diagonal else patterns(numbers):
        cells = np.ix_(rows, np.flatnonzero(~known))
        for i in range(mixture.k if cells[1].size else 0):
            slopes, left = regression(known, mixture, i)
            away = numbers[np.ix_(rows, known)] - mixture.mu[known, i]
            mean[(*cells, i)] += away @ slopes.T
            variance[(*cells, i)] = np.diag(left)
    variance[:, list(mixture.layout.constant)] = 0.0  # their width is there for the likelihood
    return mean, variance


def draw(numbers: Floats, mixture: Mixture, component: Ints, rng: np.random.Generator) -> Floats:
    """Return records with a draw for every missing number, given the known ones."""
    away = rng.standard_normal(numbers.shape)
    away[:, list(mixture.layout.constant)] = 0.0
    if mixture.layout.diagonal:
        drawn = mixture.mu.T[component] + away * np.sqrt(mixture.var.T[component])
        return np.where(np.isnan(numbers), drawn, numbers)
    drawn = numbers.copy()
    for rows, known in patterns(numbers):
        gone = np.flatnonzero(~known)
        for i in np.unique(component[rows]) if len(gone) else ():
            mine = rows[component[rows] == i]
            slopes, left = regression(known, mixture, i)
            mean = (
                mixture.mu[gone, i]
                + (numbers[np.ix_(mine, known)] - mixture.mu[known, i]) @ slopes.T
            )
            root = np.linalg.cholesky(left)
            drawn[np.ix_(mine, gone)] = mean + away[np.ix_(mine, gone)] @ root.T
    return drawn
