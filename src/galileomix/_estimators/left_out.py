"""What a class says of its own records when each is left out of it.

A record is likelier under the components it helped to make. Taking its own share out of the
counts costs one pass, where fitting again without it would cost a fit for every record.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._fitted.rowwise import responsibilities
from galileomix._kernels import gaussian
from galileomix._model.params import Floats, Mixture
from galileomix._model.stats import TINY
from galileomix._table import Block

NEARLY_ALL = 1.0 - 1e-6
"""The most that one record may make of a component, or of its variance."""


@dataclass(frozen=True, eq=False)
class Lean:
    """What the components of a class lean on: the class, which leans on all records.

    Parameters
    ----------
    N : float
        The records of the class.
    p : ndarray of shape (V, 1)
        Its distributions, with `s_all` records' worth of those of all records.
    G : ndarray of shape (V, 1)
        Those of all records.
    s_all, s_class : float
        How many records' worth of all records the class is given, and of the class a component.
    """

    N: float
    p: Floats
    G: Floats
    s_all: float
    s_class: float


def log_joint(block: Block, mixture: Mixture, lean: Lean) -> Floats:
    """Return log N_i Pr(x_a | C_i), (n, k), with a record a (its weight, if less) left out.

    Parameters
    ----------
    block : Block
        Records of the class.
    mixture : Mixture
        Of the class, as it leans.
    lean : Lean
    """
    gone = np.minimum(block.weights, 1.0)[:, None]
    shares = gone * responsibilities(block, mixture)
    held = lean.N * mixture.alpha
    shares = np.minimum(shares, NEARLY_ALL * held)
    joint = np.log(np.maximum(held - shares, TINY))
    joint += _categories(block, mixture, lean, gone, shares)
    return joint + _numbers(block, mixture, lean, shares)


def _categories(block: Block, mixture: Mixture, lean: Lean, gone: Floats, shares: Floats) -> Floats:
    layout, held = mixture.layout, lean.N * mixture.alpha
    result = np.zeros_like(shares)
    for m, (first, size) in enumerate(zip(layout.offsets, layout.cardinalities, strict=False)):
        rows = np.flatnonzero(block.codes[:, m] < size)
        v, out, share = first + block.codes[rows, m].astype(np.intp), gone[rows], shares[rows]
        of_class = (lean.N + lean.s_all) * lean.p[v] - out
        middle = np.maximum(of_class, lean.s_all * lean.G[v]) / (lean.N + lean.s_all - out)
        counts = (held + lean.s_class) * mixture.p[v] - lean.s_class * lean.p[v] - share
        counts = np.maximum(counts, 0.0) + lean.s_class * middle
        result[rows] += np.log(np.maximum(counts / (held + lean.s_class - share), TINY))
    return result


def _numbers(block: Block, mixture: Mixture, lean: Lean, shares: Floats) -> Floats:
    """Take the record out of mean and covariance: Sherman and Morrison's formula."""
    if not mixture.layout.n_numeric:
        return np.zeros_like(shares)
    held = lean.N * mixture.alpha
    total, left = held + lean.s_class, held - shares
    squares, log_det = gaussian.distances(block.numbers, mixture)
    most = NEARLY_ALL / np.maximum(squares, TINY)
    rest = 1.0 - np.minimum(shares * held / left / total, most) * squares
    n_known = (~np.isnan(block.numbers)).sum(axis=1)[:, None]
    log_det += n_known * np.log(total / (total - shares)) + np.log(rest)
    squares *= (held / left) ** 2 * (total - shares) / total / rest
    return -0.5 * (squares + log_det)
