"""How much every cell of a record surprises, given the other cells, and what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import log_ndtr, logsumexp

from galileomix._fitted.answers import Explanation
from galileomix._fitted.draws import Draws
from galileomix._fitted.mixed_moments import of_mixtures
from galileomix._kernels import cpu
from galileomix._model import condition
from galileomix._model.params import Floats, Ints, Mixture, safe_log
from galileomix._table import Binned, Block, Categorical, Columns, Schema, cells, decode

ROUNDING = 1e-9
MOST_CELLS = 1 << 22
"""Probabilities to hold at a time: a column of very many values is worked through in parts."""


@dataclass(frozen=True, eq=False)
class Reasons:
    """What is to be said of every cell of a block, categories and numbers by themselves.

    Parameters
    ----------
    surprise : ndarray of shape (n, M)
        -log Pr(x_m | the other cells); NaN where the cell is unknown.
    codes : ndarray of shape (n, M)
        The most probable value given the other cells.
    probability : ndarray of shape (n, M)
        Its probability.
    number_surprise : ndarray of shape (n, Q)
        Minus the logarithm of the probability of a number at least as far out, on either side.
    numbers, deviation : ndarray of shape (n, Q)
        The mean of the number given the other cells, and its standard deviation.
    """

    surprise: Floats
    codes: Ints
    probability: Floats
    number_surprise: Floats
    numbers: Floats
    deviation: Floats


def reasons(block: Block, mixture: Mixture) -> Reasons:
    """Explain a block by a mixture in which nothing is impossible (see `infer.smoothed`)."""
    layout, n = mixture.layout, len(block)
    joint = cpu.log_joint(block, mixture)
    surprise, probability = np.empty((2, n, layout.n_categorical))
    codes = np.empty((n, layout.n_categorical), dtype=np.intp)
    for m in range(layout.n_categorical):
        values = slice(layout.offsets[m], layout.offsets[m + 1])
        surprise[:, m], codes[:, m], probability[:, m] = _category(
            block.codes[:, m], mixture.p[values], joint
        )
    numbers = [_number(block, mixture, q) for q in range(layout.n_numeric)]
    held = np.array(numbers).reshape(layout.n_numeric, 3, n).transpose(1, 2, 0)
    return Reasons(surprise, codes, probability, *held)


def _category(
    codes: NDArray[np.unsignedinteger], p: Floats, joint: Floats
) -> tuple[Floats, Ints, Floats]:
    """Return the surprise of one column's cells, and what was expected with which probability."""
    # The last row is of what is unknown, which takes nothing away.
    log_p = np.concatenate([safe_log(p), np.zeros((1, p.shape[1]))])
    rest = joint - log_p[codes]
    whole = logsumexp(rest, axis=1, keepdims=True)
    surprise = np.maximum(whole[:, 0] - logsumexp(joint, axis=1), 0.0)
    surprise[codes == len(p)] = np.nan
    if not len(p):
        return surprise, codes.astype(np.intp), np.full(len(codes), np.nan)
    expected, probability = most_probable(np.exp(rest - whole), p)
    return surprise, expected, probability


def most_probable(shares: Floats, p: Floats) -> tuple[Ints, Floats]:
    """Return the most probable value of each row, and its probability.

    Parameters
    ----------
    shares : ndarray of shape (n, k)
        The probability of each component.
    p : ndarray of shape (L, k)
        The probability of each value in each component.
    """
    values = np.empty(len(shares), dtype=np.intp)
    probability = np.empty(len(shares))
    step = max(1, MOST_CELLS // len(p))
    for first in range(0, len(shares), step):
        rows = slice(first, first + step)
        every = shares[rows] @ p.T
        values[rows] = every.argmax(axis=1)
        probability[rows] = np.take_along_axis(every, values[rows, None], axis=1)[:, 0]
    return values, np.minimum(probability, 1.0)


def _number(block: Block, mixture: Mixture, q: int) -> tuple[Floats, Floats, Floats]:
    """Return the surprise of one number, and its mean and deviation given the other cells."""
    others = block.numbers.copy()
    others[:, q] = np.nan
    joint = cpu.log_joint(Block(block.codes, others, block.weights), mixture)
    log_shares = joint - logsumexp(joint, axis=1, keepdims=True)
    mean, variance = (each[:, q] for each in condition.unknown(others, mixture))
    away = (block.numbers[:, q, None] - mean) / np.sqrt(variance)
    below = logsumexp(log_shares + log_ndtr(away), axis=1)
    above = logsumexp(log_shares + log_ndtr(-away), axis=1)
    surprise = np.maximum(-np.log(2.0) - np.minimum(below, above), 0.0)
    return surprise, *of_mixtures(np.exp(log_shares), mean, variance)


class Explainer:
    """Explains the rows of a table, some at a time.

    Parameters
    ----------
    mixture : Mixture
        One in which nothing is impossible.
    schema : Schema
    N : float
        The records that were fitted: a value that none of them held is expected in one of N + 1.
    never_known : sequence of str
        Numeric columns that are missing in all of them.
    """

    def __init__(
        self, mixture: Mixture, schema: Schema, N: float, never_known: Sequence[str] = ()
    ) -> None:
        self._mixture, self._schema = mixture, schema
        self._never = [q for q, each in enumerate(schema.numeric) if each.name in never_known]
        self._strange = np.log(N + 1.0)
        self._draws = Draws(mixture)
        self._log_scale = np.log([each.scale for each in schema.numeric])

    def scores(self, block: Block, strange: NDArray[np.bool_]) -> Floats:
        """Return the log density of each row in standardised units."""
        varying = self._varying(block)
        known = np.asarray(logsumexp(cpu.log_joint(varying, self._mixture), axis=1))
        odd = strange.sum(axis=1) + self._odd(block.numbers).sum(axis=1)
        return known - self._strange * odd

    def _odd(self, numbers: Floats) -> NDArray[np.bool_]:
        """Return which numbers differ from what was the same in all records, (n, Q)."""
        constant = list(self._mixture.layout.constant)
        odd = np.zeros(numbers.shape, np.bool_)
        usual = self._mixture.mu[constant, 0]
        away = np.abs(numbers[:, constant] - usual)
        odd[:, constant] = away > ROUNDING * (1.0 + np.abs(usual))
        odd[:, self._never] = ~np.isnan(numbers[:, self._never])
        return odd

    def _varying(self, block: Block) -> Block:
        """Return a block without the numbers that were the same in all records."""
        numbers = block.numbers.copy()
        numbers[:, list(self._mixture.layout.constant)] = np.nan
        return Block(block.codes, numbers, block.weights)

    def deviations(self, block: Block, strange: NDArray[np.bool_]) -> Floats:
        """Return by how many deviations each row is less probable than is usual (see `Draws`)."""
        return self._draws.deviations(self._varying(block), self.scores(block, strange))

    def explain(self, columns: Columns, block: Block, strange: NDArray[np.bool_]) -> Explanation:
        """Explain some rows: their cells, their codes, and which of them were never seen."""
        varying = self._varying(block)
        found = reasons(varying, self._mixture)
        scores = self.scores(block, strange)
        units = (~np.isnan(varying.numbers)) @ self._log_scale
        scales = np.exp(self._log_scale)
        nothing = np.full(block.codes.shape, np.nan), np.full(block.numbers.shape, np.nan)
        surprise = np.where(strange, self._strange, found.surprise)
        return Explanation(
            self._values(columns, block, strange),
            self._frame(surprise, self._number_surprise(block.numbers, found.number_surprise)),
            _objects(decode(found.codes, found.numbers, self._schema)),
            self._frame(found.probability, nothing[1]),
            self._frame(nothing[0], found.deviation * scales),
            pd.Series(scores - units, name="log_density"),
            pd.Series(self._draws.p_values(varying, scores), name="p_value"),
        )

    def _number_surprise(self, numbers: Floats, surprise: Floats) -> Floats:
        """Return the surprise of numbers, those that were always the same among them."""
        constant = list(self._mixture.layout.constant)
        result = surprise.copy()
        result[:, constant] = np.where(np.isnan(numbers[:, constant]), np.nan, 0.0)
        return np.where(self._odd(numbers), self._strange, result)

    def _values(self, columns: Columns, block: Block, strange: NDArray[np.bool_]) -> pd.DataFrame:
        """Return what the cells hold, as the model knows it; what it does not know, as given."""
        values: dict[str, Any] = dict(decode(block.codes, block.numbers, self._schema))
        raw = {name: each for name, each in zip(values, columns.columns, strict=True)}
        for m, attribute in enumerate(self._schema.categorical):
            if isinstance(attribute, Binned):
                values[attribute.name] = cells(raw[attribute.name])
            elif strange[:, m].any():
                given = cells(raw[attribute.name])
                pairs = zip(strange[:, m], given, values[attribute.name], strict=True)
                values[attribute.name] = [new if odd else known for odd, new, known in pairs]
        return _objects(values)

    def _frame(self, categories: Floats, numbers: Floats) -> pd.DataFrame:
        """Return one column for each attribute, in the order of the schema."""
        held, counts = {True: categories, False: numbers}, {True: count(), False: count()}
        columns: dict[str, Floats] = {}
        for each in self._schema.attributes:
            category = isinstance(each, Categorical)
            columns[each.name] = held[category][:, next(counts[category])]
        return pd.DataFrame(columns)


def _objects(columns: Mapping[str, Any]) -> pd.DataFrame:
    """Return columns as a frame that leaves categories as they are: None stays None."""
    return pd.DataFrame(
        {
            name: pd.Series(each, dtype=object) if isinstance(each, list) else each
            for name, each in columns.items()
        }
    )
