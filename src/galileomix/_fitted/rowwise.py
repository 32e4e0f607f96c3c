"""What a mixture says of each row of a block."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix._kernels import KERNEL
from galileomix._model import density
from galileomix._model.params import LOG_ZERO, Floats, Ints, Mixture
from galileomix._model.ties import most_probable
from galileomix._table import Block, Schema

FAR = LOG_ZERO / 10
"""Below this a row has impossible values, or numbers so far out that they may pass for some."""


def label(block: Block, mixture: Mixture) -> NDArray[np.int32]:
    """Return the most probable component of each row."""
    return most_probable(log_joint(block, mixture)).astype(np.int32)


def listed_labels(block: Block, mixture: Mixture) -> list[NDArray[np.int32]]:
    """Return the labels of a block as a list of one: the sum of lists has those of all blocks."""
    return [label(block, mixture)]


def count_labels(block: Block, mixture: Mixture) -> NDArray[np.intp]:
    """Return how many rows each component is the most probable one of, (k,)."""
    return np.bincount(label(block, mixture), minlength=mixture.k)


def labels(blocks: Iterable[Block], mixture: Mixture) -> NDArray[np.intp]:
    """Return the most probable component of each row of all blocks."""
    return np.concatenate([label(block, mixture) for block in blocks], dtype=np.intp)


def responsibilities(block: Block, mixture: Mixture) -> Floats:
    """Return the probability of each component for each row."""
    return _shares(log_joint(block, mixture))


def _shares(joint: Floats) -> Floats:
    """Return what sums to one in each row; far out, where logarithms have few digits, as well."""
    top = joint.max(axis=1, keepdims=True)
    joint = np.where(top < FAR, joint - top, joint)
    return np.exp(joint - np.asarray(logsumexp(joint, axis=1, keepdims=True)))


def log_joint(block: Block, mixture: Mixture) -> Floats:
    """Return log alpha_i f_i(x) of each row and component, (n, k).

    A kernel has `LOG_ZERO` for an impossible value. Where a number is as far out as that, values
    are counted instead: a row goes where fewest are impossible, and has no density elsewhere.
    """
    joint = KERNEL.log_joint(block, mixture)
    far = np.flatnonzero(joint.max(axis=1) < FAR)
    if len(far):
        impossible = impossible_values(block.rows(far), mixture)
        fewest = impossible == impossible.min(axis=1, keepdims=True)
        joint[far] = np.where(fewest, joint[far] - LOG_ZERO * impossible, -np.inf)
    return joint


def log_density(block: Block, mixture: Mixture, schema: Schema) -> Floats:
    """Return the log density of each row of a block, in the user's units."""
    scores = np.asarray(logsumexp(log_joint(block, mixture), axis=1))
    return _in_users_units(scores, block, mixture, schema)


def _in_users_units(scores: Floats, block: Block, mixture: Mixture, schema: Schema) -> Floats:
    """Return log densities in the user's units; minus infinity where a row is impossible."""
    impossible = impossible_values(block, mixture).min(axis=1) > 0
    possible = np.where(impossible, -np.inf, scores)
    return possible + schema.log_slope(block.numbers)


def impossible_values(block: Block, mixture: Mixture) -> Ints:
    """Return how many categories of each row have probability zero in each component, (n, k)."""
    found = np.zeros((len(block), mixture.k), dtype=np.intp)
    missing = np.zeros((1, mixture.k), dtype=bool)
    for m in range(mixture.layout.n_categorical):
        never = np.concatenate([mixture.values_of(m) <= 0, missing])
        found += never[block.codes[:, m]]
    return found


def assignments(block: Block, mixture: Mixture, schema: Schema) -> Floats:
    """Return each row's most probable component, its probability and the log density, (n, 3)."""
    joint = log_joint(block, mixture)
    shares, total = _shares(joint), np.asarray(logsumexp(joint, axis=1))
    density = _in_users_units(total, block, mixture, schema)
    return np.stack([most_probable(joint).astype(float), shares.max(axis=1), density], axis=1)


def largest_first(mixture: Mixture) -> Mixture:
    """Return the components in the order of their weights, the same whatever order they came in.

    Of equally large ones the densest is first; what is equal in that too is told apart by its
    parameters.
    """
    weights, densities = mixture.alpha.round(9), density.log_density(mixture, 1.0).round(6)
    # As bytes that are in the order of the numbers: the most of the first value comes first.
    parameters = np.concatenate([1.0 - mixture.p.round(6), mixture.mu.round(6) + 0.0])

    def place(i: int) -> tuple[float, float, bytes]:
        return -weights[i], -densities[i], parameters[:, i].astype(">f8").tobytes()

    return mixture.keep(sorted(range(mixture.k), key=place))
