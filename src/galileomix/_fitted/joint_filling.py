"""The missing cells of a record filled together: the most probable record there is.

The most probable value of each cell by itself may make a record that is not probable at all, where
cells go together. Each component has its own most probable filling; the best of these under the
whole mixture is taken, and its categories are changed one at a time for as long as that helps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix._fitted.filling import Filled, fill, to_fill
from galileomix._fitted.judge import most_probable
from galileomix._fitted.rowwise import responsibilities
from galileomix._kernels import KERNEL
from galileomix._model import gaussian
from galileomix._model.params import Floats, Mixture
from galileomix._table import Block, Schema

MOST_COMPONENTS = 16
"""Components of a record, the most probable first, whose fillings are tried."""
ROUNDS = 3
"""How often all categories are looked at again."""


def fill_jointly(
    block: Block, missing: NDArray[np.bool_], mixture: Mixture, schema: Schema
) -> Filled:
    """Fill all missing cells of each record with what is most probable together."""
    alone = fill(block, missing, mixture, schema)
    shares = responsibilities(block, mixture)
    best = _best_of_components(block, alone, shares, mixture, schema)
    for _ in range(ROUNDS):
        best = _changed_one_at_a_time(best, alone, mixture, schema)
    codes = np.where(alone.missing, best.codes, 0).astype(np.intp)
    probability = alone.probability.copy()
    for m, rows, p, every in to_fill(alone.missing, mixture, schema):
        found = (shares[rows] * p[codes[rows, m]]).sum(axis=1)
        probability[rows, m] = np.minimum(found / (shares[rows] @ every), 1.0)
    numbers = np.where(np.isnan(best.numbers), alone.numbers, best.numbers)
    return replace(alone, codes=codes, probability=probability, numbers=numbers)


def _best_of_components(
    block: Block, alone: Filled, shares: Floats, mixture: Mixture, schema: Schema
) -> Block:
    """Return the records, filled by the component whose filling is most probable."""
    mean, _ = gaussian.conditional_moments(block.numbers, mixture)
    order = np.argsort(-shares, axis=1, kind="stable")[:, :MOST_COMPONENTS]
    best, best_density = block, np.full(len(block), -np.inf)
    for component in order.T:
        codes = block.codes.copy()
        for m, rows, p, _ in to_fill(alone.missing, mixture, schema):
            codes[rows, m] = p.argmax(axis=0)[component[rows]]
        numbers = np.where(
            alone.missing_numbers,
            np.take_along_axis(mean, component[:, None, None], axis=2)[:, :, 0],
            block.numbers,
        )
        numbers = _without_spikes(codes, numbers, schema)
        filled = Block(codes, numbers, block.weights)
        density = np.asarray(logsumexp(KERNEL.log_joint(filled, mixture), axis=1))
        better = (density > best_density)[:, None]
        best = Block(
            np.where(better, codes, best.codes),
            np.where(better, numbers, best.numbers),
            block.weights,
        )
        best_density = np.maximum(density, best_density)
    return best


def _changed_one_at_a_time(block: Block, alone: Filled, mixture: Mixture, schema: Schema) -> Block:
    """Return the records with each filled category the most probable one, given all others."""
    codes = block.codes.copy()
    for m, rows, p, _ in to_fill(alone.missing, mixture, schema):
        unknown = codes[rows].copy()
        unknown[:, m] = mixture.layout.cardinalities[m]
        others = Block(unknown, block.numbers[rows], block.weights[rows])
        codes[rows, m], _ = most_probable(responsibilities(others, mixture), p)
    return Block(codes, _without_spikes(codes, block.numbers, schema), block.weights)


def _without_spikes(codes: NDArray[Any], numbers: Floats, schema: Schema) -> Floats:
    """Return numbers that are unknown where they are a spike: there the code says all."""
    numbers = numbers.copy()
    for m, q in schema.places:
        if m is not None and q is not None:
            numbers[codes[:, m] != 1, q] = np.nan
    return numbers
