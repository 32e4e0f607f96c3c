"""How improbable a record is beside what the model itself would draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial

import numpy as np
from scipy.special import logsumexp

from galileomix._kernels import KERNEL
from galileomix._model.families import sample
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Block

N_DRAWS = 10_000
FEWER_DRAWS = 2_000
"""Where cells are missing: there may be as many patterns of missing cells as rows."""
MOST_PATTERNS = 512
"""Patterns of missing cells to remember."""
ROUNDING = 1e-9
LEAST_DEVIATION = 0.1
"""In nats: where nearly all that is drawn is equally probable, smaller differences are nothing."""


class Draws:
    """Records drawn from a mixture, always the same ones, as a yardstick for others.

    A record with missing cells is compared with what is drawn with the same cells
    missing, so that a record of few cells seems neither better nor worse for it.
    """

    def __init__(self, mixture: Mixture) -> None:
        # Functions of the mixture, not of self: a cycle would keep all this until Python looks.
        self._mixture = mixture
        self._drawn = cache(partial(_drawn, mixture))
        self._scores = lru_cache(MOST_PATTERNS)(partial(_scored, mixture, self._drawn))

    @property
    def block(self) -> Block:
        """The records that are drawn."""
        return self._drawn()

    def p_values(self, block: Block, scores: Floats) -> Floats:
        """Return how often a record that is drawn is at most as probable as each row.

        The block says which cells are missing; the scores are standardised log densities.
        """
        result = np.empty(len(block))
        for rows, drawn in self._patterns(block):
            limit = scores[rows] + ROUNDING * (1.0 + np.abs(scores[rows]))
            below = np.searchsorted(drawn, limit, side="right")
            result[rows] = (1.0 + below) / (1.0 + len(drawn))
        return result

    def deviations(self, block: Block, scores: Floats) -> Floats:
        """Return how far each row is below the mean of what is drawn, in deviations."""
        result = np.empty(len(block))
        for rows, drawn in self._patterns(block):
            result[rows] = (drawn.mean() - scores[rows]) / max(float(drawn.std()), LEAST_DEVIATION)
        return result

    def _patterns(self, block: Block) -> Iterator[tuple[Ints, Floats]]:
        """Yield the rows that lack the same cells, and what is drawn scores without them."""
        sizes = np.array(self._mixture.layout.cardinalities)
        lacking = np.concatenate([block.codes == sizes, np.isnan(block.numbers)], axis=1)
        if not lacking.any():
            yield np.arange(len(block)), self._scores(())
            return
        # Rows as bytes, eight cells to each: sorting these is far quicker than sorting rows.
        packed = np.packbits(lacking, axis=1)
        keys = packed.view(f"V{packed.shape[1]}").reshape(-1)
        _, first, which, n_rows = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        order, ends = np.argsort(which.reshape(-1), kind="stable"), np.cumsum([0, *n_rows])
        for j, row in enumerate(first):
            pattern = tuple(np.flatnonzero(lacking[row]).tolist())
            yield order[ends[j] : ends[j + 1]], self._scores(pattern)


def _drawn(mixture: Mixture) -> Block:
    codes, numbers, _ = sample(mixture, N_DRAWS, np.random.default_rng(0))
    return Block(codes.astype(np.uint32), numbers, np.ones(N_DRAWS))


def _scored(mixture: Mixture, block: Callable[[], Block], lacking: tuple[int, ...]) -> Floats:
    """Return the log densities of what is drawn without some attributes, in order."""
    drawn = block().rows(slice(FEWER_DRAWS if lacking else N_DRAWS))
    codes, numbers = drawn.codes.copy(), drawn.numbers.copy()
    M, sizes = mixture.layout.n_categorical, mixture.layout.cardinalities
    for m in lacking:
        if m < M:
            codes[:, m] = sizes[m]
        else:
            numbers[:, m - M] = np.nan
    joint = KERNEL.log_joint(Block(codes, numbers, drawn.weights), mixture)
    return np.sort(logsumexp(joint, axis=1))
