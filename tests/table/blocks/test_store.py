"""Blocks in memory and on disk."""

import os
from typing import Any

import numpy as np
import pytest

from galileomix._table import (
    BLOCK_ROWS,
    AttributeRules,
    Folder,
    Rules,
    TypeChoices,
    encode,
    read,
)
from galileomix._table.blocks.store import DiskBlocks, PackedBlocks
from galileomix.errors import CacheError
from table.helpers import (
    ON_DISK,
    TABLE,
    ready,
    same,
    schema_of,
)

CATEGORIES = TypeChoices(categorical="all")
EACH = AttributeRules(criterion=None)  # rare values are not taken together
EACH_ON_DISK, EACH_IN_MEMORY = Rules(1, EACH), Rules(10**9, EACH)


def test_a_block_that_was_changed_on_disk() -> None:
    with Folder() as folder:
        blocks = ready(TABLE, folder, ON_DISK).blocks
        assert isinstance(blocks, DiskBlocks)
        with open(blocks.path, "r+b") as file:
            file.seek(os.path.getsize(blocks.path) // 2)
            file.write(b"\xff\xfe\xfd")
        assert len(blocks[0]) == BLOCK_ROWS
        with pytest.raises(CacheError, match=r"block 1 in .* is not what was written"):
            list(blocks)
        blocks.path.write_bytes(b"")
        with pytest.raises(CacheError, match="shorter than what was written"):
            _ = blocks[0]
        blocks.path.unlink()
        with pytest.raises(CacheError, match="cannot read"):
            _ = blocks[0]
        with pytest.raises(IndexError):
            _ = blocks[3]
        assert blocks[5:] == []


def test_a_disk_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builtins.open", full)
    with Folder() as folder, pytest.raises(CacheError, match=r"No space left.*TMPDIR"):
        ready(TABLE, folder, ON_DISK)


def test_each_column_is_as_narrow_on_disk_as_it_can_be() -> None:
    rows = 3 * BLOCK_ROWS
    wide = {f"s{m}": np.arange(rows) % 3 for m in range(9)} | {"id": np.arange(rows) * 7}
    with Folder() as folder:
        blocks = ready(wide, folder, EACH_ON_DISK, CATEGORIES).blocks
        assert isinstance(blocks, DiskBlocks)
        assert blocks.path.stat().st_size == rows * (9 * 1 + 2)
        assert blocks[0].codes.dtype == np.uint16


def test_one_wide_column_makes_no_other_wider() -> None:
    """A block has one type for all codes, but only while it is used."""
    rows = BLOCK_ROWS + 10
    wide = {f"s{m}": np.arange(rows) % 3 for m in range(9)} | {"id": [f"c{i}" for i in range(rows)]}
    with Folder() as folder:
        blocks = ready(wide, folder, EACH_IN_MEMORY, CATEGORIES).blocks
        assert isinstance(blocks, PackedBlocks)
        assert not isinstance(blocks, DiskBlocks)
        assert sum(map(len, blocks._data)) == rows * (9 * 1 + 2)
        plain = encode(read(wide, CATEGORIES), schema_of(wide, choices=CATEGORIES, criterion=None))
        assert all(map(same, blocks, plain))
