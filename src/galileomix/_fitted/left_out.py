"""What components say of the records they were fitted to when each is left out of them.

A record is likelier under the components it helped to make. Taking its own share out of the
counts costs one pass, where fitting again without it would cost a fit for every record.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._fitted.rowwise import responsibilities
from galileomix._kernels import KERNEL
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import TINY
from galileomix._table import Block

NEARLY_ALL = 1.0 - 1e-6
"""The most that one record may make of a component, or of its variance."""


@dataclass(frozen=True, eq=False)
class Shrinkage:
    """What components are shrunk towards: their class, itself shrunk towards all records.

    Where there are no classes that is all records.
    """

    N: float  # the records of the class
    p: Floats  # (V, 1) its distributions, shrunk by `s_all` records towards G
    G: Floats  # (V, 1) those of all records
    s_all: float  # by how many records the class is shrunk
    s_class: float  # and a component of it


def log_joint(block: Block, mixture: Mixture, shrinkage: Shrinkage) -> Floats:
    """Return log N_i Pr(x_a | C_i), (n, k), with a record a (its weight, if less) left out."""
    gone = np.minimum(block.weights, 1.0)[:, None]
    shares = gone * responsibilities(block, mixture)
    held = shrinkage.N * mixture.alpha
    shares = np.minimum(shares, NEARLY_ALL * held)
    joint = np.log(np.maximum(held - shares, TINY))
    joint += _categories(block, mixture, shrinkage, gone, shares)
    return joint + _numbers(block, mixture, shrinkage, shares)


def _categories(
    block: Block, mixture: Mixture, shrinkage: Shrinkage, gone: Floats, shares: Floats
) -> Floats:
    layout, held = mixture.layout, shrinkage.N * mixture.alpha
    result = np.zeros_like(shares)
    for m, (first, size) in enumerate(zip(layout.offsets, layout.cardinalities, strict=False)):
        rows = np.flatnonzero(block.codes[:, m] < size)
        v, out, share = first + block.codes[rows, m].astype(np.intp), gone[rows], shares[rows]
        of_class = (shrinkage.N + shrinkage.s_all) * shrinkage.p[v] - out
        middle = np.maximum(of_class, shrinkage.s_all * shrinkage.G[v]) / (
            shrinkage.N + shrinkage.s_all - out
        )
        counts = (
            (held + shrinkage.s_class) * mixture.p[v] - shrinkage.s_class * shrinkage.p[v] - share
        )
        counts = np.maximum(counts, 0.0) + shrinkage.s_class * middle
        result[rows] += np.log(np.maximum(counts / (held + shrinkage.s_class - share), TINY))
    return result


def _numbers(block: Block, mixture: Mixture, shrinkage: Shrinkage, shares: Floats) -> Floats:
    """Take the record out of mean and covariance: Sherman and Morrison's formula."""
    if not mixture.layout.n_numeric:
        return np.zeros_like(shares)
    held = shrinkage.N * mixture.alpha
    total, left = held + shrinkage.s_class, held - shares
    squares, log_det = KERNEL.distances(block, mixture)
    most = NEARLY_ALL / np.maximum(squares, TINY)
    rest = 1.0 - np.minimum(shares * held / left / total, most) * squares
    n_known = (~np.isnan(block.numbers)).sum(axis=1)[:, None]
    log_det += n_known * np.log(total / (total - shares)) + np.log(rest)
    squares *= (held / left) ** 2 * (total - shares) / total / rest
    return -0.5 * (squares + log_det)
