"""Covariances in either of two forms: whole, (Q, Q, k), or their diagonal alone, (Q, k).

The second is that of numbers which are independent within a component: hundreds of them take no
more room than they need. What the two forms do differently is here and in the kernels; everything
else reads alike for both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NARROWEST = 1e-3
"""The least width of a component in any direction, as a share of that of all records."""
ROUND = 1e-12
"""The least eigenvalue as a share of the largest: of a smaller one no digits are left."""


def products(x: Floats, diagonal: bool) -> Floats:
    """Return the products of every two numbers, (Q, Q, k), or their squares alone, (Q, k)."""
    return x * x if diagonal else x[:, None] * x[None]


def variances(Sigma: Floats) -> Floats:
    """Return the variance of each number, (Q, k)."""
    return Sigma if Sigma.ndim == 2 else np.einsum("qqi->qi", Sigma)


def whole(Sigma: Floats) -> Floats:
    """Return covariances of either form as whole ones, (Q, Q, k)."""
    return Sigma if Sigma.ndim == 3 else np.eye(len(Sigma))[:, :, None] * Sigma


def block(Sigma: Floats, which: NDArray[np.intp]) -> Floats:
    """Return the covariances of some numbers, (q, q, k)."""
    return whole(Sigma[which]) if Sigma.ndim == 2 else Sigma[np.ix_(which, which)]


def log_det(Sigma: Floats) -> Floats:
    """Return the logarithm of each determinant, (k,)."""
    if Sigma.ndim == 2:
        return np.log(Sigma).sum(axis=0)
    roots = np.linalg.cholesky(Sigma.transpose(2, 0, 1))
    return 2.0 * np.log(np.einsum("iqq->iq", roots)).sum(axis=1)


def inverse(Sigma: Floats) -> Floats:
    """Return the inverse of each, in the same form."""
    if Sigma.ndim == 2:
        return 1.0 / Sigma
    found = np.linalg.inv(Sigma.transpose(2, 0, 1))
    return found.transpose(1, 2, 0).astype(np.float64, copy=False)


def contracted(first: Floats, second: Floats) -> Floats:
    """Return the sum of the products of two such arrays, element by element, (k,)."""
    product = first * second
    return product.sum(axis=tuple(range(product.ndim - 1)))


def shared(Sigma: Floats) -> Floats:
    """Return how much each number of one component varies with all: squared correlations, (Q,)."""
    if Sigma.ndim == 1:
        return np.ones(len(Sigma))
    variance = np.diag(Sigma)
    return (Sigma**2 / (variance[:, None] * variance)).sum(axis=1)


def isolate(Sigma: Floats, which: NDArray[np.intp], variance: Floats | float) -> None:
    """Give some numbers a variance, and no covariance with any other, in place."""
    if Sigma.ndim == 2:
        Sigma[which] = variance
    else:
        Sigma[which] = Sigma[:, which] = 0.0
        Sigma[which, which] = variance


def smallest_eigenvalues(Sigma: Floats) -> Floats:
    """Return the least eigenvalue of each, (k,)."""
    if Sigma.ndim == 2:
        return Sigma.min(axis=0)
    return np.linalg.eigvalsh(Sigma.transpose(2, 0, 1))[:, 0].astype(np.float64, copy=False)


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
    if Sigma.ndim == 2:
        return np.maximum(Sigma, (NARROWEST * width[:, None]) ** 2)
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
    least = np.maximum(NARROWEST**2, ROUND * eigenvalues[:, -1:])
    raised = np.maximum(eigenvalues, least)
    rebuilt = (axes * raised[:, None]) @ axes.transpose(0, 2, 1)
    wide = eigenvalues[:, 0] >= least[:, 0]
    return np.where(wide, Sigma, rebuilt.transpose(1, 2, 0) * scale)
