"""Reading a fitted mixture: how components differ, and records drawn from it."""

from __future__ import annotations

import numpy as np

from galileomix.model.condition import draw_unknown
from galileomix.model.params import Floats, Ints, Mixture
from galileomix.model.stats import Background


def distinction(mixture: Mixture, background: Background) -> Floats:
    """Return p log(p / G), (V, k): common here and rare over all, in nats."""
    ratio = np.divide(mixture.p, background.G, out=np.ones_like(mixture.p), where=mixture.p > 0)
    return mixture.p * np.log(ratio)


def smoothed(mixture: Mixture, background: Background, N: float, s: float = 1.0) -> Mixture:
    """Return the mixture with s records drawn from all of them added to every component.

    This is one M-step with a prior of strength s from the expected counts of the mixture itself.
    Nothing that occurs at all is impossible then. An attribute that no record knows stays as it
    is.
    """
    N_i = mixture.alpha * N
    attribute = mixture.layout.attribute_of_value
    known = np.bincount(attribute, weights=background.G[:, 0])[attribute] > 0
    toward = np.where(known[:, None], background.G, mixture.p)
    p = (N_i * mixture.p + s * toward) / (N_i + s)
    Sigma = (N_i * mixture.Sigma + s * background.Sigma) / (N_i + s)
    return Mixture(mixture.layout, mixture.alpha, p, mixture.mu, Sigma)


def draw_codes(p: Floats, component: Ints, rng: np.random.Generator) -> Ints:
    """Draw one value, (L, k) their probabilities up to a factor, for each of n components."""
    u = rng.random(len(component))
    codes = np.empty(len(component), dtype=np.intp)
    for i in np.unique(component):
        mine = component == i
        bounds = np.cumsum(p[:, i])
        codes[mine] = np.searchsorted(bounds, u[mine] * bounds[-1], side="right")
    return codes


def sample(
    mixture: Mixture,
    n: int,
    rng: np.random.Generator,
    shares: Floats | None = None,
    known: Floats | None = None,
) -> tuple[Ints, Floats, Ints]:
    """Draw n records: their codes (n, M), numbers (n, Q) and components (n,).

    Parameters
    ----------
    mixture : Mixture
    n : int
    rng : Generator
    shares : ndarray of shape (k,), optional
        How often each component is drawn; alpha where left out.
    known : ndarray of shape (Q,), optional
        Numbers that are given, the others NaN; none where left out.
    """
    layout = mixture.layout
    component = rng.choice(mixture.k, size=n, p=mixture.alpha if shares is None else shares)
    codes = np.empty((n, layout.n_categorical), dtype=np.intp)
    for m, (first, last) in enumerate(zip(layout.offsets[:-1], layout.offsets[1:], strict=True)):
        codes[:, m] = draw_codes(mixture.p[first:last], component, rng)
    given = np.full(layout.n_numeric, np.nan) if known is None else known
    numbers = draw_unknown(np.tile(given, (n, 1)), mixture, component, rng)
    return codes, numbers, component
