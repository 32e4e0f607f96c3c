"""How improbable a record is beside what the model itself would draw."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from galileomix.kernels import cpu
from galileomix.model.infer import sample
from galileomix.model.params import Floats, Ints, Mixture
from galileomix.table import Block

N_DRAWS = 10_000
ROUNDING = 1e-9
LEAST_DEVIATION = 0.1
"""In nats: where nearly all that is drawn is equally probable, smaller differences are nothing."""


class Draws:
    """Records drawn from a mixture, always the same ones, as a yardstick for others.

    Where cells of a record are unknown it is held against what is drawn with the same cells
    unknown, so that a record of few cells seems neither better nor worse for it.

    Parameters
    ----------
    mixture : Mixture
    """

    def __init__(self, mixture: Mixture) -> None:
        self._mixture = mixture
        self._sorted: dict[bytes, Floats] = {}

    @cached_property
    def _block(self) -> Block:
        codes, numbers, _ = sample(self._mixture, N_DRAWS, np.random.default_rng(0))
        return Block(codes.astype(np.uint32), numbers, np.ones(N_DRAWS))

    def p_values(self, block: Block, scores: Floats) -> Floats:
        """Return how often a record that is drawn is at most as probable as each row.

        Parameters
        ----------
        block : Block
            Says which cells are unknown.
        scores : ndarray of shape (n,)
            Log densities in standardised units.
        """
        result = np.empty(len(block))
        for rows, drawn in self._patterns(block):
            limit = scores[rows] + ROUNDING * (1.0 + np.abs(scores[rows]))
            below = np.searchsorted(drawn, limit, side="right")
            result[rows] = (1.0 + below) / (1.0 + N_DRAWS)
        return result

    def deviations(self, block: Block, scores: Floats) -> Floats:
        """Return by how many deviations each row is less probable than the mean of what is drawn.

        The parameters are those of `p_values`.
        """
        result = np.empty(len(block))
        for rows, drawn in self._patterns(block):
            result[rows] = (drawn.mean() - scores[rows]) / max(float(drawn.std()), LEAST_DEVIATION)
        return result

    def _patterns(self, block: Block) -> Iterator[tuple[Ints, Floats]]:
        """Yield the rows that lack the same cells, and what is drawn scores without them."""
        sizes = np.array(self._mixture.layout.cardinalities)
        lacking = np.concatenate([block.codes == sizes, np.isnan(block.numbers)], axis=1)
        each, which = np.unique(lacking, axis=0, return_inverse=True)
        for j, pattern in enumerate(each):
            yield np.flatnonzero(which.reshape(-1) == j), self._scores(pattern)

    def _scores(self, lacking: NDArray[np.bool_]) -> Floats:
        key = np.packbits(lacking).tobytes()
        if key not in self._sorted:
            M, sizes = self._mixture.layout.n_categorical, self._mixture.layout.cardinalities
            codes, numbers = self._block.codes.copy(), self._block.numbers.copy()
            codes[:, lacking[:M]] = np.array(sizes, dtype=codes.dtype)[lacking[:M]]
            numbers[:, lacking[M:]] = np.nan
            joint = cpu.log_joint(Block(codes, numbers, self._block.weights), self._mixture)
            self._sorted[key] = np.sort(logsumexp(joint, axis=1))
        return self._sorted[key]
