"""What a mixture says of each row of a block."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix._kernels import KERNEL
from galileomix._model.params import Floats, Mixture
from galileomix._passes.records import impossible
from galileomix._table import Block


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


def log_density(block: Block, mixture: Mixture, log_scale: Floats) -> Floats:
    """Return the log density of each row of a block, in the user's units."""
    scores = np.asarray(logsumexp(KERNEL.log_joint(block, mixture), axis=1))
    scores[impossible(block, mixture)] = -np.inf
    return scores - (~np.isnan(block.numbers)) @ log_scale


def largest_first(mixture: Mixture) -> Mixture:
    """Return the components in the order of their weights."""
    return mixture.keep(np.argsort(-mixture.alpha, kind="stable"))
