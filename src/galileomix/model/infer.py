"""Reading a fitted mixture: how components differ, and records drawn from it."""

from __future__ import annotations

import numpy as np

from galileomix.model.params import Floats, Ints, Mixture
from galileomix.model.stats import Background


def distinction(mixture: Mixture, background: Background) -> Floats:
    """Return p log(p / G), (V, k): common here and rare over all, in nats."""
    ratio = np.divide(mixture.p, background.G, out=np.ones_like(mixture.p), where=mixture.p > 0)
    return mixture.p * np.log(ratio)


def sample(mixture: Mixture, n: int, rng: np.random.Generator) -> tuple[Ints, Floats, Ints]:
    """Draw n records: their codes (n, M), numbers (n, Q) and components (n,)."""
    layout = mixture.layout
    component = rng.choice(mixture.k, size=n, p=mixture.alpha)
    codes = np.empty((n, layout.n_categorical), dtype=np.intp)
    for m, (first, last) in enumerate(zip(layout.offsets[:-1], layout.offsets[1:], strict=True)):
        u = rng.random(n)
        for i in range(mixture.k):
            mine = component == i
            bounds = np.cumsum(mixture.p[first:last, i])
            codes[mine, m] = np.searchsorted(bounds, u[mine] * bounds[-1], side="right")
    roots = np.linalg.cholesky(mixture.Sigma.transpose(2, 0, 1))
    away = rng.standard_normal((n, layout.n_numeric))
    numbers = mixture.mu.T[component] + np.einsum("aqr,ar->aq", roots[component], away)
    return codes, numbers, component
