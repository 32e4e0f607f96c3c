"""A component is a product of families: what is asked of it is asked of each, and put together.

The families are `categorical` and `gaussian`, with functions of the same names.
"""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np

from galileomix._model import categorical, gaussian
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.stats import TINY, Background, Stats


def background_of(everything: Stats, least: float) -> Background:
    """Return the distributions of all records, from their statistics as one component."""
    return Background(categorical.background(everything), *gaussian.background(everything), least)


def maximise(stats: Stats, background: Background, s: float = 0.0) -> Mixture:
    """M-step: the mixture of greatest likelihood, with s records' worth of the background."""
    alpha = stats.weight / max(stats.weight.sum(), TINY)
    p = categorical.maximise(stats, background, s)
    return Mixture(stats.layout, alpha, p, *gaussian.maximise(stats, background, s))


def log_prior(mixture: Mixture, background: Background, s: float) -> float:
    """Return the log-density of the prior, up to a constant: what EM climbs besides log L."""
    return sum(family.log_prior(mixture, background, s) for family in (categorical, gaussian))


def own_log_likelihood(stats: Stats, mixture: Mixture) -> Floats:
    """Return the log-likelihood of each component's records under that component, (k,)."""
    terms = (family.own_log_likelihood(stats, mixture) for family in (categorical, gaussian))
    return reduce(add, (term for some in terms for term in some))


def smoothed(mixture: Mixture, background: Background, N: float, s: float = 1.0) -> Mixture:
    """Return the mixture with s records' worth of the background in every component.

    So that no value the background knows is impossible. The mixture was fitted to N records:
    component i holds N_i = alpha_i N of them.
    """
    held = N * mixture.alpha
    p = categorical.smoothed(mixture, background, held, s)
    Sigma = gaussian.smoothed(mixture, background, held, s)
    return Mixture(mixture.layout, mixture.alpha, p, mixture.mu, Sigma)


def sample(
    mixture: Mixture,
    n: int,
    rng: np.random.Generator,
    shares: Floats | None = None,
    known: Floats | None = None,
) -> tuple[Ints, Floats, Ints]:
    """Draw n records: their codes (n, M), numbers (n, Q) and components (n,).

    ``shares``, (k,), is how often each component is drawn, alpha where left out; ``known``, (Q,),
    are numbers that are given, the others NaN.
    """
    layout = mixture.layout
    component = rng.choice(mixture.k, size=n, p=mixture.alpha if shares is None else shares)
    codes = np.empty((n, layout.n_categorical), dtype=np.intp)
    for m in range(layout.n_categorical):
        codes[:, m] = categorical.draw(mixture.values_of(m), component, rng)
    given = np.full(layout.n_numeric, np.nan) if known is None else known
    numbers = gaussian.draw(np.tile(given, (n, 1)), mixture, component, rng)
    return codes, numbers, component
