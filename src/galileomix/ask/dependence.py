"""Which attributes carry the same information: mutual information under a mixture."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.special import logsumexp, xlogy

from galileomix.model.params import Floats, Mixture
from galileomix.table import Categorical, Schema

NODES = 40
"""Points of a Gauss-Hermite rule, along each axis, for what has no closed form."""
TINY = np.finfo(float).tiny


def dependence(mixture: Mixture, schema: Schema) -> pd.DataFrame:
    """Return every pair of attributes, those that say most of one another first."""
    names = schema.names
    place = {each.name: m for m, each in enumerate(schema.categorical)}
    place |= {each.name: q for q, each in enumerate(schema.numeric)}
    category = {each.name: isinstance(each, Categorical) for each in schema.attributes}
    rows: list[tuple[str, str, float, float]] = []
    for first, second in combinations(names, 2):
        a, b = (first, second) if category[first] else (second, first)
        if category[a] and category[b]:
            found = _categories(mixture, place[a], place[b])
        elif category[a]:
            found = _category_and_number(mixture, place[a], place[b])
        else:
            found = _numbers(mixture, place[a], place[b])
        rows.append((first, second, *found))
    frame = pd.DataFrame(rows, columns=["first", "second", "information", "share"])
    return frame.sort_values("information", ascending=False, kind="stable", ignore_index=True)


def _categories(mixture: Mixture, a: int, b: int) -> tuple[float, float]:
    """Return the information, and which share it is of the lesser entropy."""
    both = (_values(mixture, a) * mixture.alpha) @ _values(mixture, b).T
    entropies = _entropy(both.sum(axis=1)), _entropy(both.sum(axis=0))
    information = max(sum(entropies) - _entropy(both), 0.0)
    return information, _share(information, min(entropies))


def _category_and_number(mixture: Mixture, m: int, q: int) -> tuple[float, float]:
    """Average log Pr(v | x) / Pr(v) over what every component makes of x."""
    p = _values(mixture, m)
    overall = p @ mixture.alpha
    nodes, weights = _hermite()
    deviation = np.sqrt(mixture.var[q])
    information = 0.0
    for i, alpha in enumerate(mixture.alpha):
        x = mixture.mu[q, i] + deviation[i] * nodes
        away = (x[:, None] - mixture.mu[q]) / deviation
        joint = np.log(mixture.alpha) - np.log(deviation) - 0.5 * away**2
        shares = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        given = np.maximum(shares @ p.T, TINY)
        inner = weights @ (xlogy(p[:, i], given) - xlogy(p[:, i], overall))
        information += alpha * float(inner.sum())
    information = max(information, 0.0)
    return information, _share(information, _entropy(overall))


def _numbers(mixture: Mixture, q: int, r: int) -> tuple[float, float]:
    """Average the log ratio of the joint density over what every component makes of a pair."""
    nodes, weights = _hermite()
    grid = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 2)
    both = np.outer(weights, weights).ravel()
    pair = np.array([q, r])
    mu, Sigma = mixture.mu[pair], mixture.Sigma[np.ix_(pair, pair)]
    information = 0.0
    for i, alpha in enumerate(mixture.alpha):
        x = mu[:, i] + grid @ np.linalg.cholesky(Sigma[:, :, i]).T
        ratio = _log_density(x, mixture.alpha, mu, Sigma)
        for axis in (0, 1):
            one = slice(axis, axis + 1)
            ratio = ratio - _log_density(x[:, one], mixture.alpha, mu[one], Sigma[one, one])
        information += alpha * float(both @ ratio)
    information = max(information, 0.0)
    return information, 1.0 - float(np.exp(-2.0 * information))


def _log_density(x: Floats, alpha: Floats, mu: Floats, Sigma: Floats) -> Floats:
    """Return the log density of points under a mixture, but for the factors of 2 pi."""
    each = Sigma.transpose(2, 0, 1)
    away = x[:, None] - mu.T
    squares = np.einsum("aiq,iqr,air->ai", away, np.linalg.inv(each), away)
    return np.asarray(
        logsumexp(np.log(alpha) - 0.5 * (squares + np.linalg.slogdet(each)[1]), axis=1)
    )


def _hermite() -> tuple[Floats, Floats]:
    """Return points and weights that average over a standard normal distribution."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


def _values(mixture: Mixture, m: int) -> Floats:
    first, last = mixture.layout.offsets[m : m + 2]
    return mixture.p[first:last]


def _entropy(p: Floats) -> float:
    return -float(xlogy(p, p).sum())


def _share(information: float, entropy: float) -> float:
    return min(information / entropy, 1.0) if entropy > 0 else 0.0
