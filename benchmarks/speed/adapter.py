"""All that the benchmarks know of the inside of galileomix: change it here when that changes."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, Literal
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from galileomix import Galileo
from galileomix._kernels import cpu, fuse
from galileomix._model import em, fill, with_prior
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Stats
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._table import (
    BLOCK_ROWS,
    Block,
    Folder,
    PackedBlocks,
    Rules,
    bytes_of,
    encode,
    open_table,
    prepare,
    read,
    summarise,
)

Precision = Literal["single", "double"]
PRECISIONS: tuple[Precision, ...] = ("single", "double")
"""Those in which our kernel can do a pass."""
LARGEST = fuse.LARGEST


@dataclass(frozen=True)
class Shape:
    """The size of an EM pass."""

    n_rows: int
    k: int
    n_attributes: int = 10
    n_values: int = 20

    @property
    def cells(self) -> int:
        """Rows x components x attributes."""
        return self.n_rows * self.k * self.n_attributes


def random_codes(shape: Shape) -> NDArray[np.uint8]:
    """Return a table of evenly drawn values."""
    rng = np.random.default_rng(0)
    size = (shape.n_rows, shape.n_attributes)
    return rng.integers(0, shape.n_values, size=size, dtype=np.uint8)


def blocks_of(codes: NDArray[np.uint8]) -> list[Block]:
    """Return a table of codes as the blocks that an engine holds."""
    starts = range(0, len(codes), BLOCK_ROWS)
    parts = [codes[start : start + BLOCK_ROWS] for start in starts]
    return [Block(part, np.zeros((len(part), 0)), np.ones(len(part))) for part in parts]


def random_mixture(shape: Shape) -> Mixture:
    """Return a mixture to begin a pass with."""
    rng = np.random.default_rng(1)
    spread = np.full(shape.n_values, 0.5)
    p = [rng.dirichlet(spread, size=shape.k).T for _ in range(shape.n_attributes)]
    layout = Layout((shape.n_values,) * shape.n_attributes)
    return Mixture(layout, np.full(shape.k, 1 / shape.k), np.concatenate(p))


def expect_pass(
    blocks: Sequence[Block], mixture: Mixture, precision: Precision, fused: bool
) -> Stats:
    """Do one EM pass in this thread. After a change of `fused` the first pass takes longer."""
    _fuse_columns(fused, blocks)
    new, expect = fresh(mixture), cpu.draft if precision == "single" else cpu.expect
    return reduce(add, (expect(block, new) for block in blocks))


def _fuse_columns(wanted: bool, blocks: Sequence[Block]) -> None:
    largest = LARGEST if wanted else 1
    if largest != fuse.LARGEST:
        fuse.LARGEST = largest
        fuse.plan.cache_clear()
        for block in blocks:
            block.cache.clear()


def fresh(mixture: Mixture) -> Mixture:
    """Return an equal mixture whose tables nobody has made yet, as in every step of EM."""
    return Mixture(mixture.layout, mixture.alpha, mixture.p)


def engine_pass(blocks: Sequence[Block], mixture: Mixture, n_jobs: int) -> Callable[[], Stats]:
    """Return an EM pass as a long fit of many rows does it, on so many threads: a draft."""
    _fuse_columns(True, blocks)
    records = BlockRecords(LocalEngine(blocks, n_jobs), cpu, mixture.layout)
    return lambda: records.expect(fresh(mixture), draft=True)


def encoded_bytes(table: Any) -> int:
    """Return how much memory the codes of a table take."""
    columns = read(table)
    return sum(block.codes.nbytes for block in encode(columns, summarise(columns).schema()))


def held_bytes(table: Any) -> int:
    """Return how much memory a table takes while it is fitted."""
    with Folder() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        blocks = prepare(open_table(table), folder, Rules(bytes_of(None))).blocks
        if isinstance(blocks, PackedBlocks):
            return sum(map(len, blocks._data))  # pyright: ignore[reportPrivateUsage]
        return sum(block.codes.nbytes + block.numbers.nbytes for block in blocks)


def digest(model: Galileo) -> str:
    """Return a hash of all that was fitted: the mixtures of every size, the path, the labels."""
    found = hashlib.sha256()
    mixtures = model._model.mixtures  # pyright: ignore[reportPrivateUsage]
    for k in sorted(mixtures):
        mixture = mixtures[k]
        for each in (mixture.alpha, mixture.p, mixture.mu, mixture.Sigma):
            found.update(np.ascontiguousarray(each).tobytes())
    path = model.path_.to_frame().to_numpy(dtype=np.float64)
    for each in (model.weights_, model.densities_, model.labels_, path):
        found.update(np.ascontiguousarray(each).tobytes())
    return found.hexdigest()


@contextmanager
def _patched(name: str, value: Any, *modules: Any) -> Generator[None]:
    with ExitStack() as patches:
        for module in modules:
            patches.enter_context(mock.patch.object(module, name, value))
        yield


WITH_PRIOR = (fill, with_prior)
"""The modules that know when a fit with a prior stops."""
WITHOUT: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "as it is": nullcontext,
    "without leaps": lambda: _patched("extrapolate", lambda *_: None, em),
    "prior phase to 1e-7": lambda: _patched("PRIOR_STOP", em.Stop(1e-7, 150), *WITH_PRIOR),
    "without giving up": lambda: _patched("_is_hopeless", lambda *_: False, em),
}
"""The search as it is, and without each thing that saves passes."""
