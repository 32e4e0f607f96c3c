"""The categorical distributions: what there is to know of attributes with values.

`gaussian` has functions of the same names for numbers; `families` puts the two together.
Everything but `maximise` reads only the probabilities, so that an attribute whose distribution
over its values has fewer free parameters needs an M-step of its own here, and nothing else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from galileomix._model import ordered
from galileomix._model.cuts import Cuts
from galileomix._model.params import Floats, Ints, Layout, Mixture, safe_log
from galileomix._model.stats import TINY, Background, Stats

PRESENT = 1e-6
"""A value is present in a component when it is more probable: EM leaves traces of all others."""
WIDE = 256
"""Attributes of more values take no part in the search for cuts; they do in everything else."""
LEAST = 1e-3
"""Records on each side below which a cut is none."""


def background(stats: Stats) -> Floats:
    """Return G, the distribution of every attribute over all records, (V, 1)."""
    layout = stats.layout
    known = np.maximum(layout.per_attribute(stats.counts), TINY)
    return stats.counts / known[layout.attribute_of_value]


def maximise(stats: Stats, background: Background, s: float) -> Floats:
    """M-step: p_im(v) = (n_im(v) + s G_m(v)) / (N_im + s), (V, k).

    Of an ordered attribute it is the tilt of G that has the moments of this distribution.
    N_im counts the records whose attribute m is known. An attribute that a component knows
    nothing of (N_im + s = 0) takes the global distribution.
    """
    layout = stats.layout
    counts = stats.counts
    known = layout.per_attribute(counts)
    if s > 0:
        counts = counts + s * background.G
        known += s
    elif not known.all():
        nothing = (known == 0).astype(float)
        counts = counts + nothing[layout.attribute_of_value] * background.G
        known += nothing
    p = counts / np.take(known, layout.attribute_of_value, axis=0)
    return ordered.tilted(p, layout, background.G) if layout.scales else p


def log_prior(mixture: Mixture, background: Background, s: float) -> float:
    """Return the log-density of the Dirichlet prior, up to a constant."""
    return s * float((background.G * safe_log(mixture.p)).sum()) if s > 0 else 0.0


def own_log_likelihood(stats: Stats, mixture: Mixture) -> tuple[Floats, ...]:
    """Return the log-likelihood of each component's own records, (k,), as terms to add up."""
    return ((stats.counts * np.where(stats.counts > 0, safe_log(mixture.p), 0.0)).sum(axis=0),)


def entropies(mixture: Mixture) -> Floats:
    """Return S_im = -sum_v p log p, (M, k) (Eq. entropy).

    Examples
    --------
    >>> p = np.array([3, 3, 1, 1])[:, None] / 8
    >>> np.exp(entropies(Mixture(Layout((4,)), np.ones(1), p))).round(2).tolist()
    [[3.51]]
    """
    return mixture.layout.per_attribute(-xlogy(mixture.p, mixture.p))


def log_volume(mixture: Mixture) -> Floats:
    """Return the entropies of all attributes together, (k,)."""
    return entropies(mixture).sum(axis=0)


def log_cells(mixture: Mixture) -> Floats:
    """Return the logarithm of how many combinations of its values a component has, (k,)."""
    present = (mixture.p > PRESENT).astype(float)
    return np.log(np.maximum(mixture.layout.per_attribute(present), 1.0)).sum(axis=0)


def smoothed(mixture: Mixture, background: Background, held: Floats, s: float) -> Floats:
    """Return p = (N_i p + s G) / (N_i + s), (V, k), with N_i held by each component.

    An attribute that a component knows nothing of takes G; one that the background knows nothing
    of stays as it is.
    """
    layout = mixture.layout
    known = held * layout.per_attribute(mixture.p)[layout.attribute_of_value]
    strength = s * (layout.per_attribute(background.G) > 0)[layout.attribute_of_value]
    counts, total = held * mixture.p + strength * background.G, known + strength
    return np.divide(counts, total, out=mixture.p.copy(), where=(strength > 0) & (total > 0))


def around(codes: Ints, layout: Layout, background: Background) -> Floats:
    """Return (G + delta_{x_i}) / 2 of every attribute, (V, k), for centres x_i, (k, M)."""
    p = np.repeat(background.G, len(codes), axis=1)
    for m, cardinality in enumerate(layout.cardinalities):
        known = np.flatnonzero(codes[:, m] < cardinality)
        p[layout.rows_of(m), known] /= 2.0
        p[layout.offsets[m] + codes[known, m], known] += 0.5
    return ordered.tilted(p, layout, background.G) if layout.scales else p


def draw_marginals(
    layout: Layout, background: Background, k: int, rng: np.random.Generator
) -> Ints:
    """Draw the codes of k centres attribute by attribute from G, (k, M)."""
    everything = np.zeros(k, np.intp)
    drawn = [
        draw(background.G[layout.rows_of(m)], everything, rng) for m in range(layout.n_categorical)
    ]
    return np.stack(drawn, axis=1) if drawn else np.empty((k, 0), np.intp)


def draw(p: Floats, component: Ints, rng: np.random.Generator) -> Ints:
    """Draw one value, (L, k) their probabilities up to a factor, for each of n components."""
    u = rng.random(len(component))
    bounds = np.cumsum(p, axis=0)
    codes = np.zeros(len(component), dtype=np.intp)
    if len(p) < p.shape[1]:  # a value at a time, or a component: whichever are fewer
        below = u * bounds[-1, component]
        for bound in bounds:
            codes += bound[component] <= below
        return codes
    for i in np.unique(component):
        mine = component == i
        codes[mine] = np.searchsorted(bounds[:, i], u[mine] * bounds[-1, i], side="right")
    return codes


def cuts(stats: Stats, i: int, most: int) -> Cuts:
    """Return cuts of component i by its values, those that part it most evenly.

    Those of an ordered attribute are between two ranks.
    """
    layout = stats.layout
    n = stats.counts[:, i]
    at = layout.attribute_of_value
    met = ordered.up_to(n, layout) if layout.scales else n
    smaller = np.minimum(met, layout.per_attribute(n)[at] - met)
    possible = np.flatnonzero((smaller > LEAST) & narrow(layout))
    top = np.sort(possible[np.argsort(-smaller[possible], kind="stable")[:most]])
    after = (layout.n_categorical + layout.n_numeric) * layout.is_rank[top]
    value = (top - layout.offsets[at[top]]).astype(float)
    return Cuts(np.full(len(top), i), at[top] + after, value)


def narrow(layout: Layout) -> NDArray[np.bool_]:
    """Return which values are of attributes with few enough values to look for cuts in, (V,)."""
    return np.asarray(layout.cardinalities)[layout.attribute_of_value] <= WIDE
