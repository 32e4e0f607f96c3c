"""Any table to a source of chunks; or, read whole, to columns in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import narwhals as nw
import pyarrow as pa
from pyarrow import dataset

from galileomix._table.column import Columns
from galileomix._table.read.chunk import Source
from galileomix._table.read.convert import to_column
from galileomix._table.read.csv_file import CsvFile
from galileomix._table.read.dask_source import dask_source, is_dask, refuse_other_dask
from galileomix._table.read.dataset_batches import dataset_batches, each_file
from galileomix._table.read.declared_types import AUTO, TypeChoices, named_twice, undeclared
from galileomix._table.read.find_files import is_path, open_files
from galileomix._table.read.missing_values import MissingValues
from galileomix._table.read.raw_table import raw_table
from galileomix._table.read.sources import BatchSource, FileSource, HeldSource, whole
from galileomix._table.read.spark_source import is_spark, spark_source
from galileomix._table.read.urls import is_url, located
from galileomix._table.values import check_name
from galileomix._warn import warn
from galileomix.errors import GalileoWarning, TableError, TableTypeError

MOST_NOTES = 5
NOTHING_SAID = TypeChoices()
USUAL_MISSING = MissingValues()


def read(
    table: object, choices: TypeChoices = NOTHING_SAID, missing: MissingValues = USUAL_MISSING
) -> Columns:
    """Read a table into memory; the parameters are those of `open_table`.

    Examples
    --------
    >>> table = read([["red", 1.5], ["blue", 2.5]])
    >>> [type(column).__name__ for column in table.columns]
    ['TextColumn', 'NumberColumn']
    """
    source = open_table(table, choices, missing)
    warn_of_notes(source)
    return whole(source)


def warn_of_notes(source: Source) -> None:
    """Warn of what a user should know of how a table is read."""
    for note in source.notes[:MOST_NOTES]:
        warn(note, GalileoWarning)
    if len(source.notes) > MOST_NOTES:
        more = f"{len(source.notes) - MOST_NOTES} more such notes on other files or columns"
        warn(more, GalileoWarning)


def open_table(
    table: Any,
    choices: TypeChoices = NOTHING_SAID,
    missing: MissingValues = USUAL_MISSING,
    *,
    wanted: Sequence[str] = (),
) -> Source:
    """Find out what a table is and what its columns are called; its rows are read in chunks later.

    Columns are named ``x0``, ``x1``, ... where the table has no names.

    Parameters
    ----------
    table : table-like
        In memory: a pandas, polars or Arrow frame, a two-dimensional or structured numpy array, a
        list of rows or of dictionaries, a dictionary of columns, or columns already read.

        In files: the path of a file, a pattern such as ``"logs/*.csv"``, a directory, a list of
        paths, `Csv` files, or a pyarrow dataset.

        In a stream: an iterator of record batches or of frames, a list of batches, an Arrow reader.

        In partitions: a Dask frame or array, a Spark frame.
    choices : TypeChoices
        What the user says of columns.
    missing : MissingValues
        What means that a cell is missing.
    wanted : sequence of str
        Where a table in memory has columns of all these names, the others are not looked at.

    Examples
    --------
    >>> source = open_table({"odor": ["none", "foul"], "width": [1.5, 2.0]})
    >>> source.names, [chunk.columns.n_rows for chunk in source.chunks()]
    (('odor', 'width'), [2])
    """
    table = located(table) if isinstance(table, str) and is_url(table) else table
    if isinstance(table, Columns):
        table = replace(HeldSource.of(table), missing=missing)
    if isinstance(table, Source):
        if not table.names:
            raise TableError("no columns are left in the table: at least one is needed")
        pairs = zip(choices.of(table.names), table.declared, strict=True)
        return replace(table, declared=tuple(said if said != AUTO else old for said, old in pairs))
    source = _from_files(table) if is_path(table) else _from_parts(table)
    if source is None:
        return _held(table, choices, missing, wanted)
    return replace(source, declared=choices.of(source.names), missing=missing)


def _held(
    table: Any, choices: TypeChoices, missing: MissingValues, wanted: Sequence[str]
) -> HeldSource:
    """Read a table in memory."""
    raw = raw_table(table)
    made_up = [f"x{position}" for position in range(len(raw.columns))]
    names = _names(made_up if raw.names is None else raw.names)
    least = f"(shape={(raw.n_rows, len(names))}) while a minimum of 1 is required."
    if raw.n_rows == 0:
        raise TableError(f"Found array with 0 sample(s) {least}")
    if not names:
        raise TableError(f"Found array with 0 feature(s) {least}")
    named = raw.names is not None and all(isinstance(name, str) for name in raw.names)
    needed = set(wanted if named and wanted and set(wanted) <= set(names) else names)
    chosen = [
        (to_column(name, column, declared, missing), declared)
        for name, column, declared in zip(names, raw.columns, choices.of(names), strict=True)
        if name in needed
    ]
    columns = Columns(tuple(column for column, _ in chosen), raw.n_rows, named)
    source = HeldSource.of(columns, tuple(declared for _, declared in chosen))
    return replace(source, missing=missing)


def _names(given: Sequence[object]) -> tuple[str, ...]:
    names = tuple(map(str, given))
    for name in names:
        check_name(name)
    if twice := named_twice(names):
        raise TableError(twice)
    return names


def _from_files(table: Any) -> FileSource:
    files = open_files(table)
    first = files[0]
    names = _names(first.names)
    if all(isinstance(file, CsvFile) and file.empty for file in files):
        raise TableError("a header but no rows", file=str(first.path))
    if not names:
        raise TableError("there are no columns", file=str(first.path))
    return FileSource(names=names, named=first.named, declared=undeclared(names), files=files)


def _from_parts(table: Any) -> Source | None:
    """Return the source of a table that comes in parts; None where it does not."""
    refuse_other_dask(table)
    if not is_dask(table) and not is_spark(table):
        return _from_stream(table)
    source: Source = dask_source(table) if is_dask(table) else spark_source(table)
    if not source.names:
        raise TableError("no columns are in the table: at least one is needed")
    _names(source.names)
    return source


def refuse_once(table: Any) -> None:
    """Refuse a table that can be read only once, where it has to be read again."""
    if isinstance(table, Iterator | pa.RecordBatchReader | dataset.Scanner):
        raise TableTypeError(
            f"a {type(table).__name__!r} can be read only once, and this needs it again: "
            f"make a table or a file of it first"
        )


def _from_stream(table: Any) -> BatchSource | None:
    """Return the source of a table that comes in batches; None where it does not."""
    once = isinstance(table, Iterator | pa.RecordBatchReader)
    if isinstance(table, dataset.Dataset):
        names, batches = table.schema.names, partial(dataset_batches, table)
    elif isinstance(table, dataset.Scanner):
        # One that was made of an iterator cannot be read twice, and does not say so.
        names, batches, once = table.projected_schema.names, lambda names: table.to_batches(), True
    elif isinstance(table, list | tuple) and table and all(map(_is_batch, table)):
        names, batches = table[0].schema.names, lambda names: iter(table)
    elif once:
        names, batches = _peeked(table)
    else:
        return None
    names = _names(names)
    said = undeclared(names)
    source = BatchSource(names=names, named=True, declared=said, once=once, batches=batches)
    return replace(source, of_files=each_file(table))


def _peeked(table: Any) -> tuple[Sequence[str], Any]:
    """Look at the first batch to know the names of the columns."""
    batches: Iterator[Any] = map(_batch, table)
    first = next(batches, None)
    if first is None:
        raise TableError("the iterator gives no batches: there are no rows")
    return first.schema.names, lambda names: chain([first], batches)


def _is_batch(part: object) -> bool:
    return isinstance(part, pa.RecordBatch | pa.Table)


def _batch(part: Any) -> Any:
    if _is_batch(part):
        return part
    frame: Any = nw.from_native(part, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        try:
            return frame.to_arrow()
        except pa.ArrowException as error:
            raise TableError(f"a frame of the iterator cannot be used: {error}") from None
    raise TableTypeError(
        f"an iterator must give record batches or frames, not {type(part).__name__!r}; make a "
        f"list of it if it gives rows"
    )
