"""What Spark's executors do: functions from record batches to record batches.

A batch of ours has rows of a number, a place and a pickled value. What goes wrong is such a value
too, at the place `ERROR`, and is handed on to whoever asked: Spark would try again, and lose its
type.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from galileomix._passes.fold import GROUP, GROUP_ROWS, added, sum_of_group
from galileomix._table import (
    Block,
    Chunk,
    Schema,
    Source,
    SparkSource,
    Stretch,
    Summary,
    TextEvidence,
    Weights,
    in_blocks,
    joined_batches,
    runs,
    scan_once,
    scanned_parts,
    this_partition,
    untagged,
    weights_of,
)
from galileomix._version import __version__
from galileomix.errors import ClusterError, TableError

VALUES = "number int, place long, value binary"
SCHEMA = pa.schema({"number": pa.int32(), "place": pa.int64(), "value": pa.binary()})
ERROR = -1

Batches = Iterable[Any]


class Value(NamedTuple):
    """A row of ours: a value, of what number, and where among those of the same number."""

    number: int
    place: int
    value: Any


def handing_on(task: Callable[..., Iterator[Value]]) -> Callable[..., Iterator[Any]]:
    """Make a function of record batches of one that yields values, or raises an error."""

    @wraps(task)
    def handed(batches: Batches, **given: Any) -> Iterator[Any]:
        try:
            for value in task(batches, **given):
                yield _batch(value)
        except Exception as error:
            yield _batch(Value(0, ERROR, error))

    return handed


def _batch(value: Value) -> Any:
    row = value._replace(value=pickle.dumps(value.value, protocol=5))
    return pa.RecordBatch.from_pylist([row._asdict()], SCHEMA)


def values_of(batches: Batches) -> list[Value]:
    """Return all values of some batches, by number and place; raise what is an error."""
    return sorted(_values(batches), key=_where)


def groups_of(batches: Batches) -> Iterator[tuple[int, list[Value]]]:
    """Yield the values of one number after the other, which lie together."""
    for number, found in groupby(_values(batches), key=attrgetter("number")):
        yield number, sorted(found, key=_where)


def _values(batches: Batches) -> Iterator[Value]:
    for batch in batches:
        numbers, places, values = batch.columns
        for number, place, value in zip(numbers, places, values, strict=True):
            loaded = pickle.loads(value.as_buffer())
            if place.as_py() == ERROR:
                raise loaded
            yield Value(number.as_py(), place.as_py(), loaded)


def _where(value: Value) -> tuple[int, int]:
    return value.number, value.place


@dataclass
class Part:
    """Some rows as they are read: of one partition, or of one of the parts of a table.

    `read` says of which stretches those are that have a weight, and how many.
    """

    number: int
    source: Source
    read: deque[tuple[Stretch, int]] = field(default_factory=deque[tuple[Stretch, int]])
    check: Any = field(default_factory=partial(blake2b, digest_size=16))


class Reader(Protocol):
    """How an executor reads its rows."""

    def __call__(self, batches: Batches) -> Iterator[Part]:
        """Yield parts; `read` and `check` of one grow while its chunks are asked for."""
        ...


@dataclass(frozen=True)
class FrameReader:
    """Reads the rows of a tagged frame: a task has one partition."""

    source: SparkSource

    def __call__(self, batches: Batches) -> Iterator[Part]:
        """Yield the partition, unless it has no rows."""
        tables = joined_batches(batches)
        first = next(tables, None)
        if first is None:
            return
        part = Part(this_partition(), self.source)
        chunks = self._chunks(part, first, tables)
        part.source = _Handed.of(self.source, chunks, self.source.weighted)
        yield part

    def _chunks(self, part: Part, first: Any, others: Iterator[Any]) -> Iterator[Chunk]:
        table, n_rows = first, 0
        while table is not None:
            chunk = self.source.chunk(untagged(table), part.number, n_rows)
            for stretch, rows in runs(table, part.number):
                part.read.append((stretch, _n_weighted(chunk, rows)))
            for column in table.columns:
                _fingerprint(part.check, column.combine_chunks())
            yield chunk
            n_rows += table.num_rows
            table = next(others, None)


def _n_weighted(chunk: Chunk, rows: slice) -> int:
    """Return how many of some rows of a chunk have a weight."""
    if chunk.weights is None:
        return rows.stop - rows.start
    return int(np.count_nonzero(chunk.weights[rows] > 0))


def _fingerprint(check: Any, column: Any) -> None:
    """Add the cells of a column to a check of rows; what lies below missing ones is chance."""
    for array in (column.is_null(), column.drop_null()):
        batch = pa.RecordBatch.from_arrays([array], names=["cells"])
        check.update(memoryview(batch.serialize()))


def read_parts(batches: Batches) -> Iterator[Part]:
    """Yield parts that are sources themselves, pickled: files, or rows of a table in memory."""
    for number, _, (source, weights) in values_of(batches):
        part = Part(number, source)
        chunks = _counted(part, source, weights)
        part.source = _Handed.of(source, chunks, weights is not None)
        yield part


def _counted(part: Part, source: Source, weights: Weights) -> Iterator[Chunk]:
    first = 0
    for chunk in source.chunks():
        n_rows = chunk.columns.n_rows
        chunk = replace(chunk, weights=weights_of(chunk, weights, first))
        part.read.append((Stretch("", 0, part.number), _n_weighted(chunk, slice(0, n_rows))))
        part.check.update(str(n_rows).encode())
        yield chunk
        first += n_rows


@dataclass(frozen=True, eq=False, kw_only=True)
class _Handed(Source):
    """Chunks that come from somewhere else, once."""

    handed: Iterator[Chunk]
    with_weights: bool

    @property
    def weighted(self) -> bool:
        """Whether chunks come with the weights of their rows."""
        return self.with_weights

    @classmethod
    def of(cls, source: Source, chunks: Iterator[Chunk], weighted: bool) -> _Handed:
        """Return chunks as a source like the one they come from."""
        return cls(
            names=source.names,
            named=source.named,
            declared=source.declared,
            missing=source.missing,
            handed=chunks,
            with_weights=weighted,
        )

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks."""
        return self.handed


class Scanned(NamedTuple):
    """What is known of a part after a scan."""

    part: int
    summary: Summary
    n_rows: int  # all rows, those of no weight included
    stretches: Mapping[Stretch, int]  # how many rows that have a weight are of each
    check: bytes  # of all rows, in their order


@handing_on
def scan(
    batches: Batches, read: Reader, evidence: Mapping[str, TextEvidence] | None, version: str
) -> Iterator[Value]:
    """Yield what is `Scanned` of every part."""
    if version != __version__:
        raise ClusterError(
            f"an executor has galileomix {__version__}, this process {version}: install the same "
            f"version"
        )
    for part in read(batches):
        summary, n_all = scan_once(part.source, None, evidence)
        stretches = dict[Stretch, int]()
        for stretch, n_rows in part.read:
            stretches[stretch] = stretches.get(stretch, 0) + n_rows
        check = part.check.digest()
        yield Value(part.number, 0, Scanned(part.number, summary, n_all, stretches, check))


class Numbering(NamedTuple):
    """Which number rows have in the whole table: that of the first row of each stretch."""

    firsts: Mapping[Stretch, int]
    checks: Mapping[int, bytes]  # of each part


@handing_on
def encode(batches: Batches, read: Reader, schema: Schema, numbering: Numbering) -> Iterator[Value]:
    """Yield encoded rows in pieces: of which group, and the number of the first row."""
    for part in read(batches):
        following = dict(numbering.firsts)
        for block in scanned_parts(part.source, schema, None):
            for first, piece in _placed(block, part, following):
                yield from _cut(first, piece, part.source.weighted)
        if part.check.digest() != numbering.checks[part.number]:
            raise TableError(
                "the rows were others when they were read again, or came in another order: sort "
                "the frame by a key, or write it to files first",
                file=f"partition {part.number}",
            )


def _placed(block: Block, part: Part, following: dict[Stretch, int]) -> Iterator[tuple[int, Block]]:
    """Yield the rows of a block as they lie together, with the number of the first."""
    begin = 0
    while begin < len(block):
        stretch, left = part.read.popleft()
        end = min(len(block), begin + left)
        if begin + left > end:
            part.read.appendleft((stretch, begin + left - end))
        first = following.get(stretch, 0)
        following[stretch] = first + end - begin
        yield first, block.rows(slice(begin, end))
        begin = end


def _cut(first: int, block: Block, weighted: bool) -> Iterator[Value]:
    """Yield rows in pieces of one group each."""
    begin = 0
    while begin < len(block):
        group = (first + begin) // GROUP_ROWS
        end = min(len(block), (group + 1) * GROUP_ROWS - first)
        piece = block.rows(slice(begin, end))
        yield Value(group, first + begin, as_sent(piece, weighted))
        begin = end


def as_sent(block: Block, weighted: bool) -> tuple[Any, ...]:
    """Return what is sent of a block: no weights where there are none; see `block_of`."""
    return block.codes, block.numbers, block.weights if weighted else None


@handing_on
def assemble(batches: Batches, n_rows: int) -> Iterator[Value]:
    """Yield the blocks of a group, given its pieces and how many rows there are in all groups."""
    pieces = values_of(batches)
    if not pieces:
        return
    group = pieces[0].number
    expected = min(GROUP_ROWS, n_rows - group * GROUP_ROWS)
    if sum(len(piece.value[0]) for piece in pieces) != expected:
        raise TableError("the rows were others when they were read again")
    weighted = pieces[0].value[-1] is not None
    blocks = in_blocks((block_of(*piece.value) for piece in pieces), weighted=weighted)
    for place, block in enumerate(blocks):
        yield Value(group, place, as_sent(block, weighted))


@handing_on
def call(batches: Batches) -> Iterator[Value]:
    """Yield what functions without arguments return."""
    for number, _, function in values_of(batches):
        yield Value(number, 0, function())


@handing_on
def sum_up(batches: Batches, f: Callable[[Block], Any]) -> Iterator[Value]:
    """Yield the sums of a function over the blocks of each group."""
    for number, found in groups_of(batches):
        yield Value(number, 0, sum_of_group(f, [block_of(*value) for _, _, value in found]))


@handing_on
def add_sums(batches: Batches) -> Iterator[Value]:
    """Yield the sum of the sums of a group of groups."""
    found = values_of(batches)
    if found:
        yield Value(found[0].number // GROUP, 0, added(value for _, _, value in found))


def block_of(codes: Any, numbers: Any, weights: Any) -> Block:
    """Return a block of what was sent of it."""
    return Block(codes, numbers, np.ones(len(codes)) if weights is None else weights)
