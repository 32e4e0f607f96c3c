"""What is filled in for missing cells: the most probable or mean, or a draw, given the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted import rowwise
from galileomix._fitted.judge import most_probable, over_components
from galileomix._fitted.new_table import CodedRows
from galileomix._model import categorical, gaussian
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Attribute, Block, Numeric, Place, Schema

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Filled:
    """What is filled in for the missing cells of a block; elsewhere the arrays mean nothing."""

    missing: Flags  # (n, M) which categories were missing and can be named
    codes: Ints
    probability: Floats
    missing_numbers: Flags  # (n, Q) which numbers were missing
    numbers: Floats
    deviation: Floats  # standard deviations

    def missing_in(self, place: Place) -> Flags:
        """Return which cells of an attribute were missing, (n,)."""
        if place.code is not None:
            return self.missing[:, place.code]
        assert place.number is not None
        return self.missing_numbers[:, place.number]

    def certainty(self, attribute: Attribute, place: Place, rows: Ints) -> tuple[Floats, Floats]:
        """Return the probability of what is filled in, or its deviation; NaN for the other."""
        none = np.full(len(rows), np.nan)
        coded = none if place.code is None else self.probability[rows, place.code]
        if not isinstance(attribute, Numeric):
            return coded, none
        assert place.number is not None
        z, deviation = (part[rows, place.number] for part in (self.numbers, self.deviation))
        spread = attribute.spread(z, deviation)
        if place.code is None:
            return none, spread
        spike = self.codes[rows, place.code] == 0
        return np.where(spike, coded, np.nan), np.where(spike, np.nan, spread)


def missing_of(rows: CodedRows, schema: Schema) -> tuple[Block, Flags]:
    """Return the block with all that is missing unknown, and which categories are missing.

    A category that fit never saw is unknown to the model, but not missing: it stays what it is.
    """
    block = rows.block
    gone = block.codes >= _n_real_values(schema)
    codes = np.where(gone, np.array(schema.cardinalities, dtype=block.codes.dtype), block.codes)
    return Block(codes, block.numbers, block.weights), gone & ~rows.unseen


def _n_real_values(schema: Schema) -> Ints:
    """Return how many values each categorical attribute has, the missing one left out, (M,)."""
    values = [attribute.values for attribute in schema.categorical]
    return np.array([len(held) - (None in held[-1:]) for held in values], dtype=np.intp)


def fill(block: Block, missing: Flags, mixture: Mixture, schema: Schema) -> Filled:
    """Fill with the most probable category, or the mean of a number.

    Every cell is filled by itself, given all that is known of its record.
    """
    shares = rowwise.responsibilities(block, mixture)
    codes, probability = np.zeros(missing.shape, np.intp), np.full(missing.shape, np.nan)
    for m, rows, p, every in to_fill(missing, mixture, schema):
        codes[rows, m], found = most_probable(shares[rows], p)
        probability[rows, m] = np.minimum(found / (shares[rows] @ every), 1.0)
    mean, variance = gaussian.conditional_moments(block.numbers, mixture)
    numbers, deviation = over_components(shares[:, None], mean, variance)
    named = missing & ~np.isnan(probability)
    return Filled(named, codes, probability, np.isnan(block.numbers), numbers, deviation)


def draw(
    block: Block, missing: Flags, mixture: Mixture, schema: Schema, rng: np.random.Generator
) -> Filled:
    """Fill with a draw: all missing cells of a record together, from one component."""
    shares = rowwise.responsibilities(block, mixture)
    bounds = np.cumsum(shares, axis=1)
    u = rng.random((len(block), 1)) * bounds[:, -1:]
    component = np.minimum((bounds <= u).sum(axis=1), mixture.k - 1)
    codes, probability = np.zeros(missing.shape, np.intp), np.full(missing.shape, np.nan)
    for m, rows, p, every in to_fill(missing, mixture, schema):
        codes[rows, m] = categorical.draw(p, component[rows], rng)
        found = (shares[rows] * p[codes[rows, m]]).sum(axis=1)
        probability[rows, m] = found / (shares[rows] @ every)
    numbers = gaussian.draw(block.numbers, mixture, component, rng)
    deviation = np.full(numbers.shape, np.nan)
    named = missing & ~np.isnan(probability)
    return Filled(named, codes, probability, np.isnan(block.numbers), numbers, deviation)


def to_fill(
    missing: Flags, mixture: Mixture, schema: Schema
) -> Iterator[tuple[int, Ints, Floats, Floats]]:
    """Yield each categorical attribute with missing cells.

    Its rows, p of the values that can be filled in, and p of all its real values together: rare
    values that share `OTHER` are real, but none of them can be named.
    """
    first = mixture.layout.offsets
    for m, n_values in enumerate(_n_real_values(schema)):
        rows = np.flatnonzero(missing[:, m])
        n_named = n_values - schema.categorical[m].pooled
        if len(rows) and n_named:
            p = mixture.p[first[m] : first[m] + n_values]
            yield m, rows, p[:n_named], p.sum(axis=0)
