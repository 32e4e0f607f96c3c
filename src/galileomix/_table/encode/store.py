"""Encoded blocks, in memory or in a file on disk, to be passed over again and again."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from galileomix._table.column import narrowest
from galileomix._table.encode.encoder import BLOCK_ROWS, Block
from galileomix._table.encode.folder import Folder
from galileomix._table.schema import Schema
from galileomix.errors import CacheError, ParameterError

UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
SIZE = re.compile(r"\s*(\d{1,30}(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", re.IGNORECASE)
SHARE_OF_MACHINE = 0.5
SHARE_OF_LIMIT = 0.25
"""What blocks may take of the limit: kernels keep copies of them, and reading needs room too."""


def bytes_of(memory_limit: int | str | None) -> int:
    """Return a limit in bytes: half of the machine's memory where there is none.

    Examples
    --------
    >>> bytes_of("500MB"), bytes_of("1.5 GiB"), bytes_of(1000)
    (500000000, 1610612736, 1000)
    """
    if memory_limit is None:
        return int(SHARE_OF_MACHINE * _machine())
    given: Any = memory_limit
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and given > 0:
        return int(given)
    match = SIZE.fullmatch(given) if isinstance(given, str) else None
    if match is None or float(match[1]) == 0:
        raise ParameterError(
            f"memory_limit={memory_limit!r}: give a number of bytes, a text such as '500MB', "
            f"or None for half of the memory there is"
        )
    unit = UNITS[match[2].upper()] if not match[3] else 1024 ** "KMGT".find(match[2].upper()) * 1024
    return int(float(match[1]) * unit)


def _machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return 4 * 1024**3


class Layout:
    """How the rows of a block lie in bytes: column by column, each as narrow as it can be."""

    def __init__(self, schema: Schema, weighted: bool) -> None:
        self.kinds = [narrowest(each) for each in schema.cardinalities]
        self.codes = narrowest(max(schema.cardinalities, default=0))
        self.n_numbers = len(schema.numeric)
        self.weighted = weighted
        codes = sum(kind.itemsize for kind in self.kinds)
        self.row_bytes = codes + 8 * (self.n_numbers + weighted)
        self.block_row_bytes = self.row_bytes - codes + self.codes.itemsize * len(self.kinds)

    def to_bytes(self, block: Block) -> bytes:
        """Return a block as bytes."""
        parts = [block.codes[:, m].astype(kind).tobytes() for m, kind in enumerate(self.kinds)]
        parts.append(np.ascontiguousarray(block.numbers).tobytes())
        return b"".join([*parts, block.weights.tobytes()] if self.weighted else parts)

    def from_bytes(self, data: NDArray[np.uint8]) -> Block:
        """Return the block that lies in some bytes."""
        n_rows = len(data) // self.row_bytes
        codes, start = np.empty((n_rows, len(self.kinds)), self.codes), 0
        for m, kind in enumerate(self.kinds):
            stop = start + n_rows * kind.itemsize
            codes[:, m] = data[start:stop].view(kind)
            start = stop
        stop = start + 8 * n_rows * self.n_numbers
        # A copy, since what follows narrow columns need not lie where a float may.
        numbers = np.frombuffer(data[start:stop].tobytes(), np.float64).copy()
        weights = np.ones(n_rows)
        if self.weighted:
            weights = np.frombuffer(data[stop:].tobytes(), np.float64).copy()
        return Block(codes, numbers.reshape(n_rows, self.n_numbers), weights)


class PackedBlocks(Sequence[Block]):
    """Blocks as bytes; one is made when it is asked for, so none takes more room for long.

    Any number of threads may ask. Where there are no more than `few`, they are kept once made:
    unpacking them for every pass would cost more than the pass.

    Parameters
    ----------
    layout : Layout
    data : list of bytes
    """

    few = 8

    def __init__(self, layout: Layout, data: Sequence[bytes]) -> None:
        self._layout, self._data = layout, data
        self._kept: dict[int, Block] = {}

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self._data)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Block]: ...
    def __getitem__(self, index: int | slice) -> Block | Sequence[Block]:
        """Return a block, or some."""
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        block = self._kept.get(at)
        if block is None:
            block = self._layout.from_bytes(self._bytes(at))
            if len(self) <= self.few:
                self._kept[at] = block
        return block

    def _bytes(self, at: int) -> NDArray[np.uint8]:
        return np.frombuffer(self._data[at], np.uint8)


class DiskBlocks(PackedBlocks):
    """Blocks in a file; the bytes are checked when a block is first read.

    Parameters
    ----------
    path : Path
    layout : Layout
    sizes, checksums : sequence of int
        The bytes of each block, and their `zlib.crc32`.
    """

    few = 0

    def __init__(
        self, path: Path, layout: Layout, sizes: Sequence[int], checksums: Sequence[int]
    ) -> None:
        super().__init__(layout, [])
        self.path = path
        self._ends, self._checksums = np.cumsum(sizes), checksums
        self._checked = np.zeros(len(checksums), np.bool_)

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self._checksums)

    def _bytes(self, at: int) -> NDArray[np.uint8]:
        start = int(self._ends[at - 1]) if at else 0
        data = self._read(start, int(self._ends[at]) - start)
        if not self._checked[at]:
            if zlib.crc32(memoryview(cast(Any, data))) != self._checksums[at]:
                raise CacheError(f"block {at} in {str(self.path)!r} is not what was written there")
            self._checked[at] = True
        return data

    def _read(self, start: int, size: int) -> NDArray[np.uint8]:
        data = np.empty(size, np.uint8)
        try:
            with open(self.path, "rb", buffering=0) as file:
                file.seek(start)
                read = file.readinto(memoryview(cast(Any, data)))
        except OSError as error:
            raise CacheError(f"cannot read {str(self.path)!r}: {error}") from error
        if read != size:
            raise CacheError(f"{str(self.path)!r} is shorter than what was written there")
        return data


def store(
    blocks: Iterable[Block], schema: Schema, folder: Folder, limit: int, *, weighted: bool
) -> Sequence[Block]:
    """Keep blocks: in memory while they take no more than their share of the limit, else on disk.

    Parameters
    ----------
    blocks : iterable of Block
    schema : Schema
    folder : Folder
        Where files may be made.
    limit : int
        In bytes.
    weighted : bool
        Whether weights may differ from one.
    """
    layout = Layout(schema, weighted)
    # One wide column makes all codes of a block wide: then blocks are kept packed.
    pack = 3 * layout.row_bytes <= 2 * layout.block_row_bytes
    row_bytes = layout.row_bytes if pack else layout.block_row_bytes
    most = int(SHARE_OF_LIMIT * limit) // max(1, row_bytes * BLOCK_ROWS)
    held: list[Any] = []
    rest = iter(blocks)
    for block in rest:
        held.append(layout.to_bytes(block) if pack else block)
        if len(held) > most:
            data = chain(_emptied(held), rest)
            packed = (each if isinstance(each, bytes) else layout.to_bytes(each) for each in data)
            return _on_disk(packed, layout, folder.path / "blocks")
    return PackedBlocks(layout, held) if pack else held


def _emptied(held: list[Any]) -> Iterator[Any]:
    """Yield what is held and let go of it."""
    held.reverse()
    while held:
        yield held.pop()


def _on_disk(packed: Iterable[bytes], layout: Layout, path: Path) -> DiskBlocks:
    sizes, checksums = list[int](), list[int]()
    try:
        with open(path, "wb") as file:
            for data in packed:
                file.write(data)
                sizes.append(len(data))
                checksums.append(zlib.crc32(data))
    except OSError as error:
        raise CacheError(
            f"cannot write {str(path)!r}: {error}; TMPDIR says where there is more room"
        ) from error
    return DiskBlocks(path, layout, sizes, checksums)
