"""The data as the mathematics sees it: an engine that adds blocks up, and a kernel for a block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from galileomix._kernels import Kernel
from galileomix._model.census import Census
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.families import background_of
from galileomix._model.params import Floats, Ints, Layout, Mixture
from galileomix._model.start import Centers
from galileomix._model.stats import MoveStats, Several, Stats
from galileomix._passes.engine import Engine
from galileomix._passes.journal import NO_JOURNAL, Journal
from galileomix._table import Block, draw, narrowest, sample

T = TypeVar("T")

DRAFT_ROWS = 32_768
"""Rows above which drafts pay."""


class BlockRecords:
    """Every pass over the data, as one sum over blocks.

    ``least_strength`` is the least prior strength on covariances (see `Background`); ``journal``
    remembers what passes found.
    """

    def __init__(
        self,
        engine: Engine,
        kernel: Kernel,
        layout: Layout,
        least_strength: float = 1.0,
        journal: Journal = NO_JOURNAL,
    ) -> None:
        self._engine = engine
        self._kernel = kernel
        self._journal = journal
        self.passes = 0.0
        self.before_pass: Callable[[], None] = _nothing
        self.census: Census = self._sum(partial(kernel.census, layout=layout))
        self.everything: Stats = self.census.stats()
        self.layout = self.everything.layout
        self.background = background_of(self.everything, least_strength)

    def independent(self) -> BlockRecords:
        """Return the same records with numbers that are independent within a component."""
        layout = replace(self.layout, diagonal=True)
        least, journal = self.background.least, self._journal
        return BlockRecords(self._engine, self._kernel, layout, least, journal)

    def sample(self, n: int) -> SampledRecords:
        """Return about n of the records, the same ones whatever the order of the rows."""
        return SampledRecords(self, sample(self._sum, n, self.n_rows))

    @property
    def n_passes(self) -> int:
        """The passes over all rows so far; those over a sample count by its share of the rows."""
        return round(self.passes)

    @property
    def n_rows(self) -> int:
        """The number of rows, whatever they weigh."""
        return self.census.n_rows

    @property
    def drafts(self) -> bool:
        """Whether drafts pay: on few rows they save less than the last steps in full precision."""
        return self.n_rows > DRAFT_ROWS

    @property
    def N(self) -> float:
        """The sum of the records' weights."""
        return float(self.everything.weight[0])

    def expect(self, mixture: Mixture, draft: bool = False) -> Stats:
        """E-step, in the kernel's full precision or as a draft."""
        kernel = self._kernel.draft if draft else self._kernel.expect
        return self._sum(partial(kernel, mixture=mixture))

    def expect_each(self, mixtures: Sequence[Mixture]) -> tuple[Stats, ...]:
        """E-step under several mixtures, each of which counts as a pass, in one sum over blocks."""
        expect_each = partial(_expect_each, expect=self._kernel.expect, mixtures=tuple(mixtures))
        return self._sum(expect_each, len(mixtures)).of_each

    def count_cuts(self, mixture: Mixture, cuts: Cuts) -> Stats:
        """Count the records that meet each cut."""
        return self._sum(partial(self._kernel.count_cuts, mixture=mixture, cuts=cuts))

    def expect_halves(self, mixture: Mixture, halves: Halves) -> MoveStats:
        """E-step within components."""
        return self._sum(partial(self._kernel.expect_halves, mixture=mixture, halves=halves))

    def draw(self, k: int, rng: np.random.Generator) -> Centers:
        """Draw k records by weight; the order of the rows does not matter."""
        return draw(self._sum, k, self.n_rows, rng)

    def label(self, centers: Centers, mixture: Mixture) -> Ints:
        """Return the most probable component of records that were drawn."""
        codes, numbers = centers
        dtype = narrowest(max(self.layout.cardinalities, default=0))
        block = Block(codes.astype(dtype), numbers, np.ones(len(codes)))
        return self._kernel.log_joint(block, mixture).argmax(axis=1)

    def total(self, f: Callable[[Block], Floats]) -> Floats:
        """Add up what a function finds in each block."""
        return self._sum(f)

    def once(self, asked: object, run: Callable[[], T]) -> T:
        """Return what a run of passes finds, or found before; its passes count either way."""

        def counted() -> tuple[T, float]:
            return run(), self.passes

        found, self.passes = self._journal.once(asked, counted)
        return found

    def _sum(self, f: Callable[[Block], T], n_passes: int = 1) -> T:
        self.before_pass()
        return self.once(f, partial(self._pass, f, n_passes))

    def _pass(self, f: Callable[[Block], T], n_passes: int) -> T:
        self.passes += n_passes
        return self._engine.sum(f)


class SampledRecords(BlockRecords):
    """Some of the records of a table, in memory.

    Distributions are shrunk towards those of the whole table, whose values they all may take.
    """

    def __init__(self, whole: BlockRecords, blocks: Sequence[Block]) -> None:
        self._whole = whole
        self._share = sum(map(len, blocks)) / whole.n_rows
        self._engine = whole._engine.holding(blocks)
        self._kernel, self._journal = whole._kernel, whole._journal
        self.layout, self.background = whole.layout, whole.background
        self.census = self._sum(partial(self._kernel.census, layout=self.layout))
        self.everything = replace(self.census.stats(), layout=self.layout)

    def once(self, asked: object, run: Callable[[], T]) -> T:
        """Return what a run of passes finds, or found before; its passes count either way."""
        return self._whole.once(asked, run)

    def _sum(self, f: Callable[[Block], T], n_passes: int = 1) -> T:
        self._whole.before_pass()
        return self._whole.once(f, partial(self._pass, f, n_passes))

    def _pass(self, f: Callable[[Block], T], n_passes: int) -> T:
        self._whole.passes += n_passes * self._share
        return self._engine.sum(f)


def _expect_each(
    block: Block, expect: Callable[[Block, Mixture], Stats], mixtures: Sequence[Mixture]
) -> Several:
    return Several(tuple(expect(block, mixture) for mixture in mixtures))


def _nothing() -> None:
    """Do nothing before a pass."""
