"""A table made ready to be fitted: one scan finds its schema, a second stores its blocks.

Neither needs the table in memory: rows come in chunks, and a table in memory is one chunk. Blocks
hold a fixed number of rows wherever the chunks begin and end, so the same rows give the same
blocks, and with them the same bits, from whatever they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from galileomix._progress import Report
from galileomix._table.blocks.block import Block, in_blocks
from galileomix._table.blocks.store import store
from galileomix._table.encode.encoder import Encoder
from galileomix._table.folder import Folder
from galileomix._table.infer.make_attribute import AttributeRules
from galileomix._table.infer.scan import Weights, scan
from galileomix._table.infer.summary import USUAL_RULES, Summary
from galileomix._table.read.chunk import Source
from galileomix._table.read.open_table import warn_of_notes
from galileomix._table.read.sources import BatchSource
from galileomix._table.schema import Schema
from galileomix._table.weights import check_weights
from galileomix.errors import TableError


@dataclass(frozen=True, eq=False)
class Prepared:
    """A table ready to be fitted.

    `blocks` are of the rows of positive weight; `every` yields blocks of all rows, those of no
    weight included, and is None where these are not at hand. `named` says whether the names of the
    columns are the user's own.
    """

    schema: Schema
    blocks: Sequence[Block]
    every: Callable[[], Iterator[Block]] | None
    named: bool


@dataclass(frozen=True)
class Rules:
    """How a table is made ready: bytes of memory (see `store`), and how attributes are made."""

    limit: int
    attributes: AttributeRules = USUAL_RULES


def prepare(
    source: Source,
    folder: Folder,
    rules: Rules,
    sample_weight: Any = None,
    report: Report | None = None,
) -> Prepared:
    """Find the schema of a table and store its blocks.

    Blocks that do not fit in memory are stored in the folder, and can be used until it is removed.
    `sample_weight` is an array of shape (n_rows,), a number or None. `report` is called with the
    progress of reading, where the table is not in memory.

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
    schema = schema_of(scan(source, weights, report), rules.attributes)
    encoded = partial(_blocks, source.select(schema.names), schema, weights)
    blocks = store(
        encoded(report=report), schema, folder, rules.limit, weighted=weights is not None
    )
    pa.default_memory_pool().release_unused()  # what Arrow took to read
    positive = weights is None or bool(np.all(weights > 0))
    every = partial(iter, blocks) if positive else partial(encoded, every=True)
    return Prepared(schema, blocks, every, source.named)


def schema_of(summary: Summary, rules: AttributeRules) -> Schema:
    """Return the schema of a table to be fitted, and warn of what a user should know of it."""
    schema = summary.schema(rules)
    summary.warn(schema)
    if not schema.attributes:
        raise _nothing_left(schema)
    return schema


def _nothing_left(schema: Schema) -> TableError:
    shown = ", ".join(f"{column.name!r} ({column.type})" for column in schema.left_out[:5])
    return TableError(
        f"no column is left to model: {shown}; name those to keep in `categorical` or `numeric`"
    )


def _checked(sample_weight: Any, n_rows: int | None) -> Weights:
    if sample_weight is None:
        return None
    if n_rows is None:
        shape = np.shape(sample_weight)
        if len(shape) == 0:
            raise TableError("give one weight for each row: the number of rows is not known yet")
        n_rows = int(shape[0])
    return check_weights(sample_weight, n_rows)


def _blocks(
    source: Source,
    schema: Schema,
    weights: Weights,
    report: Report | None = None,
    every: bool = False,
) -> Iterator[Block]:
    """Yield the blocks of a table, of all rows or of those that have a weight."""
    parts = scanned_parts(source, schema, weights, report, every)
    return in_blocks(parts, weighted=weights is not None)


def scanned_parts(
    source: Source,
    schema: Schema,
    weights: Weights,
    report: Report | None = None,
    every: bool = False,
) -> Iterator[Block]:
    """Yield the rows of a table, or of a part of it, from whose scan the schema comes.

    Rows of no weight are left out, unless `every` row is asked for.
    """
    weighted = weights is not None or source.weighted
    # The scan saw every value, except of rows without weight: what is new came in between.
    encoder = Encoder(schema, "ignore" if weighted else "error", source.missing.usual)
    for part in encoder.parts_of(source, weights, report):
        yield part.rows(part.weights > 0) if weighted and not every else part
