"""Reading a fitted mixture: how components differ, smoothed ones, records drawn from it."""

from __future__ import annotations

import numpy as np

from galileomix._model.condition import draw_unknown
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.stats import TINY, Background


def distinction(mixture: Mixture, background: Background) -> Floats:
    """Return p log(p / G), (V, k): common here and rare over all, in nats."""
    ratio = np.divide(mixture.p, background.G, out=np.ones_like(mixture.p), where=mixture.p > 0)
    return mixture.p * np.log(ratio)


def smoothed(mixture: Mixture, background: Background, N: float, s: float = 1.0) -> Mixture:
    """Return the mixture with s records' worth of the background in every component.

    p = (N_i p + s G) / (N_i + s), and covariances likewise, so that no value the background knows
    is impossible. An attribute that a component knows nothing of takes G; one that the background
    knows nothing of stays as it is.

    Parameters
    ----------
    mixture : Mixture
    background : Background
    N : float
        The records the mixture was fitted to: component i holds N_i = alpha_i N of them.
    s : float

    Examples
    --------
    >>> from galileomix._model.params import Layout
    >>> G = Background(
    ...     np.array([[0.5], [0.5]]), *(np.zeros((0,) * n + (1,)) for n in (1, 2)), np.zeros(0), 1.0
    ... )
    >>> smoothed(Mixture(Layout((2,)), np.ones(1), np.array([[1.0], [0.0]])), G, 3.0).p.tolist()
    [[0.875], [0.125]]
    """
    layout, held = mixture.layout, N * mixture.alpha
    known = held * layout.per_attribute(mixture.p)[layout.attribute_of_value]
    lean = s * (layout.per_attribute(background.G) > 0)[layout.attribute_of_value]
    counts, total = held * mixture.p + lean * background.G, known + lean
    p = np.divide(counts, total, out=mixture.p.copy(), where=(lean > 0) & (total > 0))
    Sigma = (held * mixture.Sigma + s * background.Sigma) / np.maximum(held + s, TINY)
    return Mixture(layout, mixture.alpha, p, mixture.mu, Sigma)


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
