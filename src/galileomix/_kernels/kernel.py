"""What a kernel is: every sum and every answer that is computed from the rows of one block."""

from __future__ import annotations

from typing import Protocol

from galileomix._model.census import Census
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import Floats, Layout, Mixture
from galileomix._model.stats import MoveStats, Stats
from galileomix._table import Block


class Kernel(Protocol):
    """One block x parameters -> statistics, or one answer per row.

    A module with these functions is a kernel. `reference` says in plain numpy what each of them
    computes; every other kernel agrees with it.
    """

    def census(self, block: Block, layout: Layout) -> Census:
        """Count the records of a block without a model."""
        ...

    def log_joint(self, block: Block, mixture: Mixture) -> Floats:
        """Return log alpha_i + log Pr(x_a | C_i), (n, k)."""
        ...

    def distances(self, block: Block, mixture: Mixture) -> tuple[Floats, Floats]:
        """Return squared Mahalanobis distances and log det 2 pi Sigma, of known numbers, (n, k)."""
        ...

    def expect(self, block: Block, mixture: Mixture) -> Stats:
        """E-step: return the statistics of a block shared out under a mixture."""
        ...

    def draft(self, block: Block, mixture: Mixture) -> Stats:
        """Return nearly the same as `expect`, sooner, where a kernel can."""
        ...

    def count_cuts(self, block: Block, mixture: Mixture, cuts: Cuts) -> Stats:
        """Return the statistics of the records that meet each cut, within its component, (., c)."""
        ...

    def expect_halves(self, block: Block, mixture: Mixture, halves: Halves) -> MoveStats:
        """Return the statistics of each parent's records shared between the two of each pair."""
        ...
