"""Encoded blocks, in memory or in a file on disk, to be passed over again and again."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, cast, overload

import numpy as np
from numpy.typing import NDArray

from galileomix._table.blocks.block import BLOCK_ROWS, Block
from galileomix._table.column import narrowest
from galileomix._table.folder import Folder
from galileomix._table.schema import Schema
from galileomix.errors import CacheError

SHARE_OF_LIMIT = 0.25
"""What blocks may take of the limit: kernels keep copies of them, and reading needs memory too."""


class BlockLayout:
    """How the rows of a block lie in bytes: column by column, each as narrow as it can be."""

    def __init__(self, schema: Schema, weighted: bool) -> None:
        self.column_dtypes = [narrowest(cardinality) for cardinality in schema.cardinalities]
        self.block_dtype = narrowest(max(schema.cardinalities, default=0))
        self.n_numbers = len(schema.numeric)
        self.weighted = weighted
        other = 8 * (self.n_numbers + weighted)
        self.row_bytes = sum(dtype.itemsize for dtype in self.column_dtypes) + other
        self.block_row_bytes = self.block_dtype.itemsize * len(self.column_dtypes) + other

    def to_bytes(self, block: Block) -> bytes:
        """Return a block as bytes."""
        columns = zip(block.codes.T, self.column_dtypes, strict=True)
        parts = [column.astype(dtype).tobytes() for column, dtype in columns]
        parts.append(np.ascontiguousarray(block.numbers).tobytes())
        return b"".join([*parts, block.weights.tobytes()] if self.weighted else parts)

    def from_bytes(self, data: NDArray[np.uint8]) -> Block:
        """Return the block that `to_bytes` packed."""
        n_rows = len(data) // self.row_bytes
        codes, start = np.empty((n_rows, len(self.column_dtypes)), self.block_dtype), 0
        for m, dtype in enumerate(self.column_dtypes):
            stop = start + n_rows * dtype.itemsize
            codes[:, m] = data[start:stop].view(dtype)
            start = stop
        stop = start + 8 * n_rows * self.n_numbers
        # A copy, since bytes that follow narrow columns need not be aligned for floats.
        numbers = np.frombuffer(data[start:stop].tobytes(), np.float64).copy()
        weights = np.ones(n_rows)
        if self.weighted:
            weights = np.frombuffer(data[stop:].tobytes(), np.float64).copy()
        return Block(codes, numbers.reshape(n_rows, self.n_numbers), weights)


class PackedBlocks(Sequence[Block]):
    """Blocks as bytes, unpacked when asked for; any number of threads may ask.

    Where there are no more than `few`, they are kept once unpacked: to unpack them for every pass
    would cost more than the pass.
    """

    few = 8

    def __init__(self, layout: BlockLayout, data: Sequence[bytes]) -> None:
        self._layout, self._data = layout, data
        self._unpacked: dict[int, Block] = {}

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
            return [self[position] for position in range(*index.indices(len(self)))]
        position = range(len(self))[index]
        block = self._unpacked.get(position)
        if block is None:
            block = self._layout.from_bytes(self._bytes(position))
            if len(self) <= self.few:
                self._unpacked[position] = block
        return block

    def _bytes(self, position: int) -> NDArray[np.uint8]:
        return np.frombuffer(self._data[position], np.uint8)


class DiskBlocks(PackedBlocks):
    """Blocks in a file; the bytes are checked by `zlib.crc32` when a block is first read."""

    few = 0

    def __init__(
        self, path: Path, layout: BlockLayout, sizes: Sequence[int], checksums: Sequence[int]
    ) -> None:
        super().__init__(layout, [])
        self.path = path
        self._ends, self._checksums = np.cumsum(sizes), checksums
        self._checked = np.zeros(len(checksums), np.bool_)

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self._checksums)

    def _bytes(self, position: int) -> NDArray[np.uint8]:
        start = int(self._ends[position - 1]) if position else 0
        data = self._read(start, int(self._ends[position]) - start)
        if not self._checked[position]:
            if zlib.crc32(memoryview(cast(Any, data))) != self._checksums[position]:
                raise CacheError(
                    f"block {position} in {str(self.path)!r} is not what was written there"
                )
            self._checked[position] = True
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
    """Store blocks: in memory up to their share of the limit, in bytes, else in the folder.

    Where weights are all one (not `weighted`) they are not stored.
    """
    layout = BlockLayout(schema, weighted)
    # One wide column makes all codes of a block wide: such blocks are packed.
    pack = 3 * layout.row_bytes <= 2 * layout.block_row_bytes
    row_bytes = layout.row_bytes if pack else layout.block_row_bytes
    most = int(SHARE_OF_LIMIT * limit) // max(1, row_bytes * BLOCK_ROWS)
    held: list[Any] = []
    rest = iter(blocks)
    for block in rest:
        held.append(layout.to_bytes(block) if pack else block)
        if len(held) > most:
            data = chain(_emptied(held), rest)
            packed = (part if isinstance(part, bytes) else layout.to_bytes(part) for part in data)
            return _on_disk(packed, layout, folder.path / "blocks")
    return PackedBlocks(layout, held) if pack else held


def _emptied(held: list[Any]) -> Iterator[Any]:
    """Yield the items of a list and free each of them."""
    held.reverse()
    while held:
        yield held.pop()


def _on_disk(packed: Iterable[bytes], layout: BlockLayout, path: Path) -> DiskBlocks:
    sizes, checksums = list[int](), list[int]()
    try:
        with open(path, "wb") as file:
            for data in packed:
                file.write(data)
                sizes.append(len(data))
                checksums.append(zlib.crc32(data))
    except OSError as error:
        raise CacheError(
            f"cannot write {str(path)!r}: {error}; set TMPDIR to a folder with more space"
        ) from error
    return DiskBlocks(path, layout, sizes, checksums)
