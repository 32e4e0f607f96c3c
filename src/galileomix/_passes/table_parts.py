"""A table as sources of its parts, each of which can be sent elsewhere and read there."""

from __future__ import annotations

from dataclasses import replace

from galileomix._passes.fold import GROUP_ROWS
from galileomix._table import FileSource, HeldSource, Source, slices
from galileomix.errors import TableTypeError


def parts_of(source: Source) -> list[Source]:
    """Return the files of a table, or some rows at a time of a table in memory.

    Raises
    ------
    TableTypeError
        Where the table is neither.
    """
    if isinstance(source, FileSource):
        return [replace(source, files=(file,)) for file in source.files]
    if isinstance(source, HeldSource):
        cuts = slices(source.columns.n_rows, GROUP_ROWS)
        return [replace(source, columns=source.columns.rows(cut)) for cut in cuts]
    raise TableTypeError(
        "a stream of record batches, or a table of another cluster, cannot be read on this one: "
        "give files, a table in memory, or one of its own"
    )
