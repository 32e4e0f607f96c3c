"""A table made ready to be fitted: one scan finds its schema, a second stores its blocks.

Neither needs the table in memory: rows come in chunks, and a table in memory is one chunk. Blocks
hold a fixed number of rows wherever the chunks begin and end, so the same rows give the same
blocks, and with them the same bits, from whatever they are read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.encode.encoder import Block, Encoder, in_blocks
from galileomix._table.encode.folder import Folder
from galileomix._table.encode.recode import Unseen
from galileomix._table.encode.store import store
from galileomix._table.encode.weights import check_weights
from galileomix._table.infer.bins import Binning
from galileomix._table.infer.summary import Summary, summarise
from galileomix._table.read.chunk import Chunk, HeldSource, Source, no_rows
from galileomix._table.read.convert import as_numbers
from galileomix._table.read.progress import Reading
from galileomix._table.read.source import warn_of_notes
from galileomix._table.read.streams import BatchSource
from galileomix._table.schema import Missing, Schema
from galileomix._warn import warn
from galileomix._words import counted
from galileomix.errors import GalileoWarning, TableError

Tell = Callable[[Reading], None]
Weights = NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table ready to be fitted.

    Parameters
    ----------
    schema : Schema
    blocks : sequence of Block
        The rows of positive weight.
    every : callable
        Yields blocks of all rows, those of no weight included.
    named : bool
        Whether the names are the user's own.
    """

    schema: Schema
    blocks: Sequence[Block]
    every: Callable[[], Iterator[Block]]
    named: bool


@dataclass(frozen=True)
class Rules:
    """How a table is made ready.

    Parameters
    ----------
    limit : int
        Bytes of memory, see `store`.
    missing, binning
        As in `infer_schema`.
    """

    limit: int
    missing: Missing = "category"
    binning: Binning | None = None


def prepare(
    source: Source,
    folder: Folder,
    rules: Rules,
    sample_weight: Any = None,
    tell: Tell | None = None,
) -> Prepared:
    """Find the schema of a table and store its blocks.

    Parameters
    ----------
    source : Source
        What `open_table` returned.
    folder : Folder
        Where blocks lie that do not fit in memory; they can be used until it goes.
    rules : Rules
    sample_weight : array of shape (n_rows,), number or None
    tell : callable, optional
        Is told how the reading goes, where the table is not in memory.

    Examples
    --------
    >>> from galileomix._table import open_table
    >>> with Folder() as folder:
    ...     ready = prepare(open_table({"a": ["x", "y"]}), folder, Rules(10**6))
    >>> ready.schema.names, len(ready.blocks)
    (('a',), 1)
    """
    warn_of_notes(source)
    if source.once and isinstance(source, BatchSource):
        source = source.spooled(folder.path)
    weights = _checked(sample_weight, source.n_rows)
    summary = scan(source, weights, rules.binning, tell)
    summary.warn(rules.missing)
    schema = summary.schema(rules.missing, rules.binning)
    encoded = partial(_blocks, source, schema, weights)
    blocks = store(encoded(tell=tell), schema, folder, rules.limit, weighted=weights is not None)
    pa.default_memory_pool().release_unused()  # what Arrow took to read
    positive = weights is None or bool(np.all(weights > 0))
    every = partial(iter, blocks) if positive else partial(encoded, every=True)
    return Prepared(schema, blocks, every, source.named)


def _blocks(
    source: Source,
    schema: Schema,
    weights: Weights,
    tell: Tell | None = None,
    every: bool = False,
) -> Iterator[Block]:
    """Yield the blocks of a table, of all rows or of those that have a weight."""
    # The scan saw every value, but of rows without weight: what is new came in between.
    encoder = Encoder(schema, "error" if weights is None else "ignore")
    parts = _parts(source, encoder, weights, tell)
    if weights is not None and not every:
        parts = (part.rows(part.weights > 0) for part in parts)
    return in_blocks(parts, weighted=weights is not None)


def _checked(sample_weight: Any, n_rows: int | None) -> Weights:
    if sample_weight is None:
        return None
    if n_rows is None:
        shape = np.shape(sample_weight)
        if len(shape) == 0:
            raise TableError("give one weight for each row: the number of rows is not known yet")
        n_rows = int(shape[0])
    return check_weights(sample_weight, n_rows)


def scan(
    source: Source,
    weights: Weights = None,
    binning: Binning | None = None,
    tell: Tell | None = None,
) -> Summary:
    """Return what there is to be seen in a table.

    Text is taken for what it has meant so far. Where a later chunk says otherwise, as when the
    first decimal point comes far below, one more scan is needed, which knows it all.
    """
    evidence = None
    while True:
        total, rows = Summary(), 0
        for chunk in _told(source, "scan", tell):
            n_rows = chunk.columns.n_rows
            part = _part(weights, rows, n_rows)
            with chunk.placed():
                total += summarise(
                    chunk.columns, part, kinds=source.kinds, binning=binning, evidence=evidence
                )
            rows += n_rows
        if rows == 0:
            raise no_rows(len(source.names))
        if weights is not None and rows != len(weights):
            raise _wrong_length(len(weights), f"{rows} rows")
        if not total.unsettled:
            _refuse_infinite(source, total.spoilt)
            return total
        evidence = total.evidence


def _refuse_infinite(source: Source, spoilt: Sequence[int]) -> None:
    """Find the first infinite number in columns of text that hold one: this raises."""
    for chunk in source.chunks() if spoilt else ():
        with chunk.placed():
            for m in spoilt:
                as_numbers(chunk.columns.columns[m])


def _parts(
    source: Source, encoder: Encoder, weights: Weights, tell: Tell | None
) -> Iterator[Block]:
    rows = 0
    for chunk in _told(source, "encode", tell):
        part = _part(weights, rows, chunk.columns.n_rows)
        with chunk.placed():
            yield from encoder.parts(chunk.columns, part)
        rows += chunk.columns.n_rows


def _part(weights: Weights, first: int, n_rows: int) -> Weights:
    if weights is None:
        return None
    if first + n_rows > len(weights):
        raise _wrong_length(len(weights), f"at least {first + n_rows} rows")
    return weights[first : first + n_rows]


def _wrong_length(n_weights: int, rows: str) -> TableError:
    weights = counted(n_weights, "weight")
    return TableError(f"sample_weight has {weights}, but the table has {rows}: give one for each")


def _told(source: Source, stage: str, tell: Tell | None) -> Iterator[Chunk]:
    """Yield the chunks of a source, and tell how far they are where it is not in memory."""
    if tell is None or isinstance(source, HeldSource):
        yield from source.chunks()
        return
    began, rows, total = time.perf_counter(), 0, source.bytes_total or 0
    for chunk in source.chunks():
        yield chunk
        rows += chunk.columns.n_rows
        tell(Reading(stage, rows, chunk.bytes_read, total, time.perf_counter() - began))
    tell(Reading(stage, rows, total, total, time.perf_counter() - began, done=True))


def over_rows(
    source: Source,
    schema: Schema,
    f: Callable[[Block], NDArray[Any]],
    unseen: Unseen = "ignore",
) -> NDArray[Any]:
    """Return what a function makes of the rows of a table, which is never whole in memory.

    Parameters
    ----------
    source, schema, unseen
        As in `known_blocks`.
    f : callable
        Takes a block and returns one row of an array for each of its rows.
    """
    return np.concatenate([f(block) for block in known_blocks(source, schema, unseen)])


def known_blocks(source: Source, schema: Schema, unseen: Unseen = "ignore") -> Iterator[Block]:
    """Yield the rows of a table as blocks by a schema that is known.

    Parameters
    ----------
    source : Source
        The table, aligned with the schema (see `align`).
    schema : Schema
        What was fitted.
    unseen : {"ignore", "error"}
        What to do with a value that the schema does not have.
    """
    warn_of_notes(source)
    encoder, n_rows = Encoder(schema, unseen), 0
    for block in in_blocks(_parts(source, encoder, None, None), weighted=False):
        n_rows += len(block)
        yield block
    if not n_rows:
        raise no_rows(len(source.names))
    if left_out := encoder.left_out():
        warn(left_out, GalileoWarning)
