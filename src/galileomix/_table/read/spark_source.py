"""A Spark frame as a source of rows, in an order that it has wherever it is read.

Spark promises no order, and puts files into partitions by their size. So rows are taken file by
file, in the order of the files' names, where Spark knows from which file a row comes, and by the
number of their partition elsewhere. That is the order of the same files read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.column import Columns
from galileomix._table.read.chunk import Chunk, Source, placed
from galileomix._table.read.convert import to_column
from galileomix._table.read.declared_types import undeclared
from galileomix._table.weights import usable_weights

CHUNK_ROWS = 65_536
"""Rows that are looked at together, of the small batches in which Spark hands them over."""
TAGS = ("input_file_name() AS file", "input_file_block_start() AS start")
"""Columns beside those of a frame, which have `positional` names meanwhile."""
MESSAGES = "file string, start long, part int, first long, message binary"
"""The columns of a frame of rows as messages of Arrow; `first` is the first row in its stretch."""


class Stretch(NamedTuple):
    """Rows that lie one after the other: of a part of a file, or of a partition.

    Stretches sort in the order of the rows.
    """

    file: str  # empty where Spark does not know it
    start: int  # where the part of the file begins
    part: int  # the number of the partition


class Run(NamedTuple):
    """Some rows of a stretch."""

    stretch: Stretch
    rows: slice


@dataclass(frozen=True, eq=False, kw_only=True)
class SparkSource(Source):
    """Rows of a Spark frame, in the order of stretches."""

    column_names: tuple[str, ...]  # of the frame, those that are not read included
    frame: Any  # None on executors, which are handed the rows
    weight: str | None = None  # the column that holds the weights of the rows

    @property
    def weighted(self) -> bool:
        """Whether chunks come with the weights of their rows."""
        return self.weight is not None

    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows as messages that the executors made of them."""
        few = self.of_read()
        messages = tagged(few.frame).mapInArrow(_messages, MESSAGES)
        for row in messages.sort("file", "start", "part", "first").toLocalIterator():
            with pa.ipc.open_stream(pa.BufferReader(bytes(row.message))) as reader:
                yield few.chunk(reader.read_all(), row.part, row.first)

    def of_read(self) -> SparkSource:
        """Return the source of a frame that has no columns but those that are read."""
        names = tuple(dict.fromkeys(filter(None, (*self.names, self.weight))))
        places = [self.column_names.index(name) for name in names]
        frame = positional(self.frame).select(*(f"c{place}" for place in places))
        return replace(self, frame=frame, column_names=names)

    def chunk(self, rows: Any, part: int, first: int) -> Chunk:
        """Return some rows of a partition, given as an Arrow table, from a row of it on."""
        where, held = f"partition {part}", dict(zip(self.column_names, rows.columns, strict=True))
        with placed(first, where):
            columns = tuple(
                to_column(name, held[name], declared, self.missing)
                for name, declared in zip(self.names, self.declared, strict=True)
            )
            weights = None
            if self.weight is not None:
                weights = usable_weights(held[self.weight].to_numpy(), rows.num_rows)
        columns = Columns(columns, rows.num_rows, self.named)
        return Chunk(columns, first, where, weights=weights)


def is_spark(table: object) -> bool:
    """Whether a table is a frame of Spark, of this process or by Spark Connect."""
    kind = type(table)
    return kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "DataFrame"


def spark_source(frame: Any) -> SparkSource:
    """Return the source of a Spark frame."""
    names = tuple(frame.columns)
    said = undeclared(names)
    return SparkSource(names=names, named=True, declared=said, column_names=names, frame=frame)


def weights_in(frame: Any, name: str) -> NDArray[np.float64]:
    """Return the weights that a column of a Spark frame holds, in the order of its rows."""
    source = replace(spark_source(frame).select([name]), weight=name)
    parts = [chunk.weights for chunk in source.chunks() if chunk.weights is not None]
    return np.concatenate([np.empty(0), *parts])


def tagged(frame: Any) -> Any:
    """Return the columns of a frame, and as the last two of which stretch each row is."""
    return positional(frame).selectExpr("*", *TAGS)


def positional(frame: Any) -> Any:
    """Return a frame whose columns are named by their positions: c0, c1, and so on.

    Any other name may be that of a tag, or have a dot in it, by which Spark finds no column.
    """
    return frame.toDF(*(f"c{position}" for position in range(len(frame.columns))))


def quoted(name: str) -> str:
    """Return the name of a column as Spark reads it, whatever signs are in it."""
    return "`" + name.replace("`", "``") + "`"


def joined_batches(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield tables of `CHUNK_ROWS` rows or a little more, the last one of fewer."""
    held, n_rows = list[Any](), 0
    for batch in batches:
        if batch.num_rows:
            held.append(batch)
            n_rows += batch.num_rows
        if n_rows >= CHUNK_ROWS:
            yield pa.Table.from_batches(held)
            held, n_rows = list[Any](), 0
    if held:
        yield pa.Table.from_batches(held)


def untagged(table: Any) -> Any:
    """Return the rows of a table without their tags."""
    return table.select(range(table.num_columns - len(TAGS)))


def runs(table: Any, part: int) -> list[Run]:
    """Return which rows of a tagged table, of a partition, are of which stretch."""
    names, starts = (table.column(i).combine_chunks() for i in range(-len(TAGS), 0))
    files = names.dictionary_encode()
    tags = np.stack([files.indices.to_numpy(), starts.to_numpy()])
    new = np.flatnonzero((np.diff(tags) != 0).any(axis=0)) + 1
    found, begins = list[Run](), [0, *new.tolist()]
    for begin, end in zip(begins, [*begins[1:], table.num_rows], strict=True):
        file, start = tags[:, begin].tolist()
        stretch = Stretch(unquote(files.dictionary[file].as_py()), start, part)
        found.append(Run(stretch, slice(begin, end)))
    return found


def this_partition() -> int:
    """Return the number of the partition that a task of Spark is at work on."""
    from pyspark import TaskContext  # here: whoever runs a task of Spark has Spark

    task = TaskContext.get()
    assert task is not None
    return task.partitionId()


def _messages(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of a partition as messages of Arrow."""
    part, seen = this_partition(), dict[Stretch, int]()
    for table in joined_batches(batches):
        rows = untagged(table)
        for stretch, which in runs(table, part):
            first = seen.get(stretch, 0)
            seen[stretch] = first + which.stop - which.start
            yield pa.RecordBatch.from_pylist(
                [{**stretch._asdict(), "first": first, "message": _message(rows, which)}],
                pa.schema(
                    {
                        "file": pa.string(),
                        "start": pa.int64(),
                        "part": pa.int32(),
                        "first": pa.int64(),
                        "message": pa.binary(),
                    }
                ),
            )


def _message(rows: Any, which: slice) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows.slice(which.start, which.stop - which.start))
    return sink.getvalue().to_pybytes()
