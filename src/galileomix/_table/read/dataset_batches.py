"""Batches of Arrow's datasets, whole or a file at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from pyarrow import dataset

from galileomix._table.read.table_file import BATCH_ROWS
from galileomix.errors import TableError

ReadBatches = Callable[[Sequence[str]], Iterator[Any]]
"""A function of the names of columns that yields record batches with these columns."""


def dataset_batches(table: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield the rows of a dataset, few at a time."""
    few = {"batch_size": BATCH_ROWS, "batch_readahead": 2, "fragment_readahead": 1}
    return table.to_batches(columns=list(names), **few)


def each_file(table: Any) -> tuple[ReadBatches, ...]:
    """Return what reads one file of a dataset, for each of its files; nothing where it has none."""
    if not isinstance(table, dataset.FileSystemDataset):
        return ()
    found: Any = table
    try:
        fragments: list[Any] = list(found.get_fragments())
    except ValueError:  # some of its rows are left out, which its files do not know
        return ()
    kept = (found.schema, found.format, found.filesystem)
    return tuple(
        partial(_file_batches, dataset.FileSystemDataset([fragment], *kept))
        for fragment in fragments
    )


def _file_batches(table: Any, names: Sequence[str]) -> Iterator[Any]:
    """Yield the rows of a dataset of one file, where a worker of a cluster reads it."""
    try:
        yield from dataset_batches(table, names)
    except OSError as error:
        raise not_there(table.files[0]) from error


def not_there(file: str) -> TableError:
    """Return the error of a worker for a file that it was sent to read."""
    return TableError(
        "a worker of the cluster cannot open it: files must be where every worker can open them, "
        "at the same absolute path or URL",
        file=file,
    )
