"""Any table, one path: chunks of named columns of numbers, categories and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, cast

import narwhals as nw
import numpy as np
import pyarrow as pa
from pyarrow import dataset

from galileomix._table.column import Columns
from galileomix._table.read.chunk import HeldSource, Source, whole
from galileomix._table.read.convert import to_column
from galileomix._table.read.declared_types import CategoricalChoice, kinds_of, some
from galileomix._table.read.frames import from_frame
from galileomix._table.read.sequences import (
    RawTable,
    from_array,
    from_mapping,
    from_rows,
    one_dimension,
    refuse_sparse,
)
from galileomix._table.read.streams import BatchSource, FileSource, dataset_batches
from galileomix._table.read.table_files import CsvFile, is_path, open_files
from galileomix._table.read.text_meaning import Kind
from galileomix._warn import warn
from galileomix.errors import GalileoWarning, ParameterError, TableError, TableTypeError

MOST_NOTES = 5
Said = Callable[[Sequence[str]], list[Kind]]


def read(
    table: object, categorical: CategoricalChoice = "auto", missing_values: Sequence[str] = ()
) -> Columns:
    """Read any table into memory.

    Parameters
    ----------
    table : table-like
        What `open_table` takes.
    categorical : "auto" or list of str or int
        With "auto" columns of floats are numeric and all others categorical. A list of names or
        positions says exactly which are categorical; the others are read as numbers.
    missing_values : sequence of str
        Text that means that a cell is missing.

    Returns
    -------
    Columns
        The columns, named ``x0``, ``x1``, ... where the table has no names.

    Raises
    ------
    TableError
        Where the table or a cell of it cannot be used.

    Examples
    --------
    >>> table = read([["red", 1.5], ["blue", 2.5]])
    >>> [type(column).__name__ for column in table.columns]
    ['CategoryColumn', 'NumberColumn']
    """
    source = open_table(table, categorical, missing_values)
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
    categorical: CategoricalChoice = "auto",
    missing_values: Sequence[str] = (),
    *,
    numeric: Sequence[str | int] = (),
    wanted: Sequence[str] = (),
) -> Source:
    """Find out what a table is and what its columns are called; read its rows later, in chunks.

    Parameters
    ----------
    table : table-like
        In memory: a pandas, polars or Arrow frame, a two-dimensional or structured numpy array, a
        list of rows or of dictionaries, a dictionary of columns, or columns already read.

        In files: the path of a ``.csv``, ``.tsv`` or ``.parquet`` file, a pattern such as
        ``"logs/*.csv"``, a directory, a list of paths, `Csv` files, or a pyarrow dataset. In a
        CSV file only an empty cell is missing: ``NA``, ``null`` and ``?`` are values. Its columns
        are text where reading them as numbers would lose something: ``01`` is not ``1``.

        In a stream: an iterator of record batches or of frames, a list of batches, an Arrow reader.
    categorical, missing_values
        As in `read`.
    numeric : sequence of str or int
        Columns, by name or position, that are numbers, whatever they look like.
    wanted : sequence of str
        Where a table in memory has columns of all these names, the others are not looked at.

    Examples
    --------
    >>> source = open_table({"odor": ["none", "foul"], "width": [1.5, 2.0]})
    >>> source.names, [chunk.columns.n_rows for chunk in source.chunks()]
    (('odor', 'width'), [2])
    """
    _check_missing_values(missing_values)
    if isinstance(table, Columns):
        table = HeldSource(table)
    if isinstance(table, HeldSource | FileSource | BatchSource):
        if not table.names:
            raise TableError("no columns are left in the table: at least one is needed")
        if isinstance(table, HeldSource) or (_is_auto(categorical) and not numeric):
            return table
        return replace(table, kinds=tuple(kinds_of(table.names, categorical, numeric)))
    said = partial(kinds_of, categorical=categorical, numeric=numeric)
    if is_path(table):
        return _from_files(table, said, tuple(missing_values))
    stream = _from_stream(table, said, tuple(missing_values))
    return _held(table, said, missing_values, wanted) if stream is None else stream


def _is_auto(categorical: object) -> bool:
    return isinstance(categorical, str) and categorical == "auto"


def _held(
    table: Any, said: Said, missing_values: Sequence[str], wanted: Sequence[str]
) -> HeldSource:
    raw = _raw(table)
    names = _names(raw)
    _check_shape(raw)
    named = raw.names is not None and all(isinstance(name, str) for name in raw.names)
    needed = set(wanted if named and wanted and set(wanted) <= set(names) else names)
    trios = zip(names, raw.columns, said(names), strict=True)
    columns = tuple(to_column(*trio, missing_values) for trio in trios if trio[0] in needed)
    return HeldSource(Columns(columns, raw.n_rows, named))


def _from_files(table: Any, said: Said, missing_values: tuple[str, ...]) -> FileSource:
    files = tuple(open_files(table))
    names = _names(RawTable(files[0].names, (), 0))
    first = files[0]
    if all(isinstance(file, CsvFile) and file.dialect.empty for file in files):
        raise TableError("a header but no rows", file=str(first.path))
    if not names:
        raise TableError("there are no columns", file=str(first.path))
    named = not isinstance(first, CsvFile) or first.dialect.header
    return FileSource(files, names, named, tuple(said(names)), missing_values)


def refuse_once(table: Any) -> None:
    """Refuse a table that can be read only once, where it has to be read again."""
    if isinstance(table, Iterator | pa.RecordBatchReader | dataset.Scanner):
        raise TableTypeError(
            f"a {type(table).__name__!r} can be read only once, and this needs it again: "
            f"make a table or a file of it first"
        )


def _from_stream(table: Any, said: Said, missing_values: tuple[str, ...]) -> BatchSource | None:
    """Return the source of a table that comes in batches; None where it does not."""
    once = isinstance(table, Iterator | pa.RecordBatchReader)
    if isinstance(table, dataset.Dataset):
        names, batches = table.schema.names, dataset_batches(table)
    elif isinstance(table, dataset.Scanner):
        # One that was made of an iterator cannot be read twice, and does not say so.
        names, batches, once = table.projected_schema.names, lambda names: table.to_batches(), True
    elif isinstance(table, list | tuple) and table and all(map(_is_batch, table)):
        names, batches = table[0].schema.names, lambda names: iter(table)
    elif once:
        names, batches = _peeked(table)
    else:
        return None
    names = _names(RawTable(names, (), 0))
    return BatchSource(batches, names, True, tuple(said(names)), missing_values, once)


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


def _check_missing_values(missing_values: object) -> None:
    given: Any = missing_values
    if isinstance(given, str) or not all(isinstance(each, str) for each in given):
        raise ParameterError(
            f"missing_values={missing_values!r}: give a list of texts, such as ['?']"
        )


def _raw(table: Any) -> RawTable:
    if isinstance(table, np.ndarray):
        return from_array(cast("np.ndarray[Any, Any]", table))
    refuse_sparse(table)  # before mappings: one of the sparse kinds is a dictionary
    if isinstance(table, Mapping):
        return from_mapping(cast("Mapping[object, object]", table))
    if isinstance(table, list | tuple):
        return from_rows(cast("Sequence[object]", table))
    frame = from_frame(table)
    if frame is not None:
        return frame
    if hasattr(table, "__array__") or hasattr(table, "__array_interface__"):
        return from_array(np.asarray(table))
    if np.isscalar(table):
        raise one_dimension(table, "scalar")
    raise TableTypeError(
        f"a {type(table).__name__!r} is not a table: give a frame, an array, a list of rows, "
        f"a dictionary of columns or the path of a file"
    )


def _names(raw: RawTable) -> tuple[str, ...]:
    if raw.names is None:
        return tuple(f"x{position}" for position in range(len(raw.columns)))
    names = tuple(map(str, raw.names))
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise TableError(f"{len(twice)} column name(s) occur more than once: {some(twice)}")
    return names


def _check_shape(raw: RawTable) -> None:
    shape = (raw.n_rows, len(raw.columns))
    least = f"(shape={shape}) while a minimum of 1 is required."
    if raw.n_rows == 0:
        raise TableError(f"Found array with 0 sample(s) {least}")
    if not raw.columns:
        raise TableError(f"Found array with 0 feature(s) {least}")
