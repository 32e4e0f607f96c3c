"""What a mixture says of each row of a block."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix._kernels import KERNEL
from galileomix._model import density
from galileomix._model.params import Floats, Mixture
from galileomix._passes.records import impossible
from galileomix._table import Block, Schema


def label(block: Block, mixture: Mixture) -> NDArray[np.int32]:
    """Return the most probable component of each row."""
    return KERNEL.log_joint(block, mixture).argmax(axis=1).astype(np.int32)


def labels(blocks: Iterable[Block], mixture: Mixture) -> NDArray[np.intp]:
    """Return the most probable component of each row of all blocks."""
    return np.concatenate([label(block, mixture) for block in blocks], dtype=np.intp)


def responsibilities(block: Block, mixture: Mixture) -> Floats:
    """Return the probability of each component for each row."""
    joint = KERNEL.log_joint(block, mixture)
    return np.exp(joint - np.asarray(logsumexp(joint, axis=1, keepdims=True)))


def log_density(block: Block, mixture: Mixture, schema: Schema) -> Floats:
    """Return the log density of each row of a block, in the user's units."""
    scores = np.asarray(logsumexp(KERNEL.log_joint(block, mixture), axis=1))
    return _in_users_units(scores, block, mixture, schema)


def _in_users_units(scores: Floats, block: Block, mixture: Mixture, schema: Schema) -> Floats:
    """Return log densities in the user's units; minus infinity where a row is impossible."""
    possible = np.where(impossible(block, mixture), -np.inf, scores)
    return possible + schema.log_slope(block.numbers)


def assignments(block: Block, mixture: Mixture, schema: Schema) -> Floats:
    """Return each row's most probable component, its probability and the log density, (n, 3)."""
    joint = KERNEL.log_joint(block, mixture)
    total = np.asarray(logsumexp(joint, axis=1, keepdims=True))
    shares = np.exp(joint - total)
    density = _in_users_units(total[:, 0], block, mixture, schema)
    return np.stack([shares.argmax(axis=1), shares.max(axis=1), density], axis=1)


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
