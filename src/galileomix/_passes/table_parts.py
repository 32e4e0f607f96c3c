"""A table as sources of its parts, each of which can be sent elsewhere and read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from galileomix._passes.fold import GROUP_ROWS
from galileomix._table import (
    BatchSource,
    FileSource,
    HeldSource,
    Source,
    Weights,
    check_weights,
    slices,
)
from galileomix.errors import TableTypeError


class TablePart(NamedTuple):
    """Some rows of a table, and their weights."""

    source: Source
    weights: Weights


def parts_of(source: Source) -> list[Source]:
    """Return the files of a table, or some rows at a time of a table in memory.

    Raises
    ------
    TableTypeError
        Where the table is neither.
    """
    files = source.apart() if isinstance(source, FileSource | BatchSource) else []
    if files:
        return files
    if isinstance(source, HeldSource):
        cuts = slices(source.columns.n_rows, GROUP_ROWS)
        return [replace(source, columns=source.columns.rows(cut)) for cut in cuts]
    raise TableTypeError(
        "a stream of record batches, a dataset of which rows are left out, or a table of another "
        "cluster cannot be read on this one: give files, a table in memory, or one of its own"
    )


def cut_weights(sample_weight: Any, counts: Sequence[int]) -> list[Weights]:
    """Return the weights of each part, given those of all rows and how many rows each part has."""
    weights = check_weights(sample_weight, sum(counts))
    return list(np.split(weights, np.cumsum(counts)[:-1]))


def n_rows_of(source: Source) -> int:
    """Return how many rows a part has."""
    if isinstance(source, HeldSource):
        return source.columns.n_rows
    few = source.select(source.names[:1])
    return sum(chunk.columns.n_rows for chunk in few.chunks())
