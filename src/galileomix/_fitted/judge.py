"""How records that were not fitted are judged: how improbable they are, and which cells surprise.

A judge uses a smoothed mixture, in which nothing that occurs is impossible. A category that fit
never saw counts as one in N + 1 records.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, logsumexp

from galileomix._fitted.draws import FEWER_DRAWS, Draws
from galileomix._fitted.left_out import LeftOut, Part, together
from galileomix._kernels import KERNEL
from galileomix._model.gaussian import conditional_moments
from galileomix._model.params import Floats, Ints, Mixture, safe_log
from galileomix._model.stats import Background
from galileomix._table import Block, Numeric, Place, Schema, decode_column

ROUNDING = 1e-9
MOST_CELLS = 1 << 22
"""Probabilities to hold at a time: a column of very many values is worked through in parts."""
SPIKE_EXPECTED = 0.5
"""A spike is expected where it is more probable than all other numbers together."""
Flags = NDArray[np.bool_]


class Judge:
    """Judges records by mixtures in which nothing is impossible, fitted to N records."""

    def __init__(
        self,
        parts: Sequence[Part],
        schema: Schema,
        N: float,
        background: Background,
        never_known: Sequence[str] = (),
    ) -> None:
        self.parts, self.schema, self.N, self.background = tuple(parts), schema, N, background
        weighted = (part.mixture.weighted(part.weight * part.mixture.alpha) for part in parts)
        self.mixture = reduce(Mixture.beside, weighted)
        self.log_unseen = float(np.log(N + 1.0))
        self.never = [q for q, number in enumerate(schema.numeric) if number.name in never_known]
        self.draws = Draws(self.mixture)

    @cached_property
    def drawn_surprise(self) -> Floats:
        """How surprising the most surprising cell is of some records that the mixture draws."""
        drawn = self.draws.block.rows(slice(FEWER_DRAWS))
        return self.judged(drawn, np.zeros(drawn.codes.shape, np.bool_)).greatest_surprise()

    @cached_property
    def share_as_small(self) -> Floats:
        """(k,) the share of records in components that are at most as large as each."""
        alpha = self.mixture.alpha
        return (alpha <= (1.0 + ROUNDING) * alpha[:, None]) @ alpha

    def judged(self, block: Block, unseen: Flags) -> JudgedRows:
        """Return what can be said of rows."""
        return JudgedRows(self, block, unseen)

    def judged_left_out(self, block: Block, unseen: Flags) -> JudgedRows:
        """Return what can be said of rows that were fitted, each left out of the mixtures."""
        return LeftOutRows(self, block, unseen)


class Expected(NamedTuple):
    """What was expected of one attribute's cells, given the other cells of each record.

    The most probable values and their probabilities, or the means and standard deviations of
    numbers, in the user's units.
    """

    value: list[Any] | Floats
    probability: Floats
    deviation: Floats


class NumberJudgement(NamedTuple):
    """The surprise of one number's cells, and its mean and deviation given the other cells."""

    surprise: Floats
    mean: Floats
    deviation: Floats
    log_shares: Floats  # (n, k) the components, given the other cells


class JudgedRows:
    """Rows before a judge; everything is computed when it is first asked for, and once.

    ``unseen`` says which categories fit never saw, (n, M).
    """

    def __init__(self, judge: Judge, block: Block, unseen: Flags) -> None:
        self.judge, self.unseen = judge, unseen
        self._given = block.numbers
        numbers = block.numbers.copy()
        numbers[:, list(judge.mixture.layout.constant)] = np.nan
        self.block = Block(block.codes, numbers, block.weights)
        self._numbers: dict[int, NumberJudgement] = {}
        self._spikes: dict[int, Floats] = {}

    @cached_property
    def log_joint(self) -> Floats:
        """(n, k) log alpha_i + log Pr(x_a | C_i), constant numbers apart."""
        return KERNEL.log_joint(self.block, self.judge.mixture)

    @cached_property
    def log_density(self) -> Floats:
        """(n,) the log density of the cells that the mixture knows, standardised."""
        return np.asarray(logsumexp(self.log_joint, axis=1))

    @cached_property
    def scores(self) -> Floats:
        """(n,) the log density of the whole record, standardised."""
        odd = self.unseen.sum(axis=1) + self.odd_numbers.sum(axis=1)
        return self.log_density - self.judge.log_unseen * odd

    def mass(self) -> Floats:
        """Return the probability of records that are equal to each, (n,); 0 with a number."""
        return np.where(np.isnan(self._given).all(axis=1), np.exp(self.scores), 0.0)

    @cached_property
    def odd_numbers(self) -> Flags:
        """(n, Q) which numbers differ from what was constant, or never known, in all records."""
        mixture, numbers = self.judge.mixture, self._given
        constant = list(mixture.layout.constant)
        odd = np.zeros(numbers.shape, np.bool_)
        usual = mixture.mu[constant, 0]
        away = np.abs(numbers[:, constant] - usual)
        odd[:, constant] = away > ROUNDING * (1.0 + np.abs(usual))
        odd[:, self.judge.never] = ~np.isnan(numbers[:, self.judge.never])
        return odd

    def deviations(self) -> Floats:
        """Return how far each row is below the mean of what the mixture draws, in deviations."""
        return self.judge.draws.deviations(self.block, self.scores)

    def p_values(self) -> Floats:
        """Return how often the mixture draws a row that is at most as probable."""
        return self.judge.draws.p_values(self.block, self.scores)

    def rarity_of_cluster(self) -> Floats:
        """Return -log of the share of records in clusters as small as that of each row, (n,)."""
        return -np.log(np.minimum(self._shares @ self.judge.share_as_small, 1.0))

    def surprise(self, a: int) -> Floats:
        """Return how surprising the cells of attribute a are, (n,); NaN where they are missing.

        -log Pr(x_a | the other cells); for a number, -log of the probability of one at least as
        far out, on either side.
        """
        place = self.judge.schema.places[a]
        if place.number is None:
            assert place.code is not None
            return self._category_surprise(place.code)
        if place.code is None:
            return self._number_surprise(place.number)
        return self._spiked_surprise(place.code, place.number)

    def surprises(self) -> Floats:
        """Return how surprising all cells are, (n, number of attributes); 0 where missing."""
        attributes = range(self.judge.schema.n_attributes)
        return np.nan_to_num(np.stack([self.surprise(a) for a in attributes], axis=1), nan=0.0)

    def greatest_surprise(self) -> Floats:
        """Return how surprising the most surprising cell of each row is, (n,)."""
        greatest = np.zeros(len(self.block))
        for a in range(self.judge.schema.n_attributes):
            greatest = np.fmax(greatest, self.surprise(a))
        return greatest

    def expected(self, a: int, rows: slice | Ints = slice(None)) -> Expected:
        """Return what was expected of the cells of attribute a in some rows."""
        place, attribute = self.judge.schema.places[a], self.judge.schema.attributes[a]
        if not isinstance(attribute, Numeric):
            assert place.code is not None
            codes, probability = self._expected_category(place.code, rows)
            none = np.full(len(codes), np.nan)
            return Expected(decode_column(attribute, codes, None), probability, none)
        assert place.number is not None
        found = self._number(place.number)
        mean, deviation = found.mean[rows], found.deviation[rows]
        none, spread = np.full(len(mean), np.nan), attribute.spread(mean, deviation)
        if place.code is None:
            return Expected(decode_column(attribute, None, mean), none, spread)
        likely = np.exp(self._log_spike(place.code, place.number)[rows])
        codes = np.where(likely >= SPIKE_EXPECTED, 0, 1)
        probability = np.where(codes == 0, likely, np.nan)
        spread = np.where(codes == 0, np.nan, spread)
        return Expected(decode_column(attribute, codes, mean), probability, spread)

    def given(self, a: int, rows: slice | Ints = slice(None)) -> list[Any] | Floats:
        """Return what the cells of attribute a hold, as the model knows it."""
        code, number = self.judge.schema.places[a]
        codes = None if code is None else self.block.codes[rows, code]
        numbers = None if number is None else self._given[rows, number]
        return decode_column(self.judge.schema.attributes[a], codes, numbers)

    @cached_property
    def _shares(self) -> Floats:
        """(n, k) the probability of each component, given the whole record."""
        return np.exp(self.log_joint - self.log_density[:, None])

    def _category_surprise(self, m: int) -> Floats:
        # Pr(others) / Pr(all) is the mean of 1 / p over the components: no logarithm of each.
        ratio = np.einsum("nk,nk->n", self._shares, self._inverse_p(m))
        surprise = np.maximum(safe_log(ratio), 0.0)
        surprise[self.block.codes[:, m] == len(self._values(m))] = np.nan
        surprise[self.unseen[:, m]] = self.judge.log_unseen
        return surprise

    def _number_surprise(self, q: int) -> Floats:
        if q in self.judge.mixture.layout.constant:
            surprise = np.where(np.isnan(self._given[:, q]), np.nan, 0.0)
        else:
            surprise = self._number(q).surprise
        return np.where(self.odd_numbers[:, q], self.judge.log_unseen, surprise)

    def _spiked_surprise(self, m: int, q: int) -> Floats:
        """Return the surprise of numbers that are a spike, or another one that may be far out."""
        log_spike = self._log_spike(m, q)
        other = np.log(-np.expm1(np.minimum(log_spike, -ROUNDING)))
        numbers = np.maximum(self._number_surprise(q) - other, 0.0)
        codes = self.block.codes[:, m]
        return np.where(
            codes == 0, np.maximum(-log_spike, 0.0), np.where(codes == 1, numbers, np.nan)
        )

    def _log_spike(self, m: int, q: int) -> Floats:
        """Return the log probability that a number is the spike, given the other cells, (n,)."""
        log_shares = self._number(q).log_shares
        if m not in self._spikes:
            self._spikes[m] = np.asarray(
                logsumexp(log_shares + safe_log(self._values(m)[0]), axis=1)
            )
        return self._spikes[m]

    def _expected_category(self, m: int, rows: slice | Ints) -> tuple[Ints, Floats]:
        p = self._values(m)
        if not len(p):
            codes = self.block.codes[rows, m].astype(np.intp)
            return codes, np.full(len(codes), np.nan)
        others = self._others(m, rows)
        shares = np.exp(others - logsumexp(others, axis=1, keepdims=True))
        return most_probable(shares, p)

    def _values(self, m: int) -> Floats:
        """Return the probabilities of one attribute's values, (L_m, k)."""
        first, last = self.judge.mixture.layout.offsets[m : m + 2]
        return self.judge.mixture.p[first:last]

    def _others(self, m: int, rows: slice | Ints = slice(None)) -> Floats:
        """Return the log joint of rows without one category, (n, k)."""
        return self.log_joint[rows] - self._log_p(m, rows)

    def _log_p(self, m: int, rows: slice | Ints) -> Floats:
        """Return the log probabilities of one category in the components, (n, k)."""
        return self._table(m)[self.block.codes[rows, m]]

    def _inverse_p(self, m: int) -> Floats:
        """Return one over the probabilities of one category in the components, (n, k)."""
        return np.exp(-self._table(m))[self.block.codes[:, m]]

    def _table(self, m: int) -> Floats:
        """Return log p of one attribute's values; the last row, of a missing one, adds nothing."""
        p = self._values(m)
        return np.concatenate([safe_log(p), np.zeros((1, p.shape[1]))])

    def _number(self, q: int) -> NumberJudgement:
        if q not in self._numbers:
            place = next(place for place in self.judge.schema.places if place.number == q)
            self._numbers[q] = _number_judgement(self.block, self.judge.mixture, place)
        return self._numbers[q]


class LeftOutRows(JudgedRows):
    """Rows that were fitted, each left out of the mixtures that judge it.

    What a number is expected to be, given the other cells, is of the mixtures as they are, and so
    is the cluster of a row.
    """

    @cached_property
    def _left_out(self) -> list[LeftOut]:
        judge = self.judge
        return together(self.block, judge.parts, judge.N, judge.background.G)

    @cached_property
    def log_joint(self) -> Floats:
        """(n, k) log alpha_i + log Pr(x_a | C_i), constant numbers apart."""
        others = np.log(self.judge.N - 1.0)
        weights = [np.log(part.weight) - others for part in self.judge.parts]
        pairs = zip(self._left_out, weights, strict=True)
        return np.concatenate([one.log_joint() + weight for one, weight in pairs], axis=1)

    def rarity_of_cluster(self) -> Floats:
        """Return how rare clusters are that are as small as that of each row, itself in it."""
        return self.judge.judged(self.block, self.unseen).rarity_of_cluster()

    def _log_p(self, m: int, rows: slice | Ints) -> Floats:
        return np.concatenate([one.log_p(m) for one in self._left_out], axis=1)[rows]

    def _inverse_p(self, m: int) -> Floats:
        return np.exp(-self._log_p(m, slice(None)))


def _number_judgement(block: Block, mixture: Mixture, place: Place) -> NumberJudgement:
    q, others, codes = place.number, block.numbers.copy(), block.codes
    others[:, q] = np.nan
    if place.code is not None:
        codes = codes.copy()
        codes[:, place.code] = mixture.layout.cardinalities[place.code]
    joint = KERNEL.log_joint(Block(codes, others, block.weights), mixture)
    log_shares = joint - logsumexp(joint, axis=1, keepdims=True)
    mean, variance = (moment[:, q] for moment in conditional_moments(others, mixture))
    away = (block.numbers[:, q, None] - mean) / np.sqrt(variance)
    below = logsumexp(log_shares + log_ndtr(away), axis=1)
    above = logsumexp(log_shares + log_ndtr(-away), axis=1)
    surprise = np.maximum(-np.log(2.0) - np.minimum(below, above), 0.0)
    moments = over_components(np.exp(log_shares), mean, variance)
    return NumberJudgement(surprise, *moments, log_shares)


def most_probable(shares: Floats, p: Floats) -> tuple[Ints, Floats]:
    """Return the most probable value of each row, and its probability.

    ``shares`` are the probabilities of components, (n, k), ``p`` those of values in them, (L, k).
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


def over_components(shares: Floats, mean: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of numbers over components, all (..., k) to (...)."""
    overall = (shares * mean).sum(axis=-1)
    spread = variance + (mean - overall[..., None]) ** 2
    return overall, np.sqrt((shares * spread).sum(axis=-1))
