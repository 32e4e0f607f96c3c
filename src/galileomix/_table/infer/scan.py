"""One scan over the chunks of a table, which finds what its columns are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from galileomix._progress import Report
from galileomix._table.infer.summary import Summary, summarise
from galileomix._table.read.chunk import Chunk, Source, no_rows
from galileomix._table.read.reported_chunks import chunks_reported
from galileomix._table.text.text_evidence import TextEvidence
from galileomix._words import counted
from galileomix.errors import TableError

Weights = NDArray[np.float64] | None


def scan(source: Source, weights: Weights = None, report: Report | None = None) -> Summary:
    """Return the summary of a table.

    Text is taken for the type it has had so far. Where a later chunk says otherwise, as when the
    first word comes far below, one more scan is needed, which begins with all evidence.
    """
    evidence = None
    while True:
        total, rows = scan_once(source, weights, evidence, report)
        if rows == 0:
            raise no_rows(source)
        if not total.mixed:
            return total
        evidence = total.evidence


def scan_once(
    source: Source,
    weights: Weights = None,
    evidence: Mapping[str, TextEvidence] | None = None,
    report: Report | None = None,
) -> tuple[Summary, int]:
    """Return the summary of a table, or of a part of it, and its number of rows.

    `evidence` is what is known of the columns of text of the whole table.
    """
    total, rows = Summary(), 0
    for chunk in chunks_reported(source, "reading", report):
        n_rows = chunk.columns.n_rows
        part = weights_of(chunk, weights, rows)
        with chunk.placed():
            total += summarise(
                chunk.columns,
                part,
                declared=source.declared,
                evidence=evidence,
                symbols=source.missing.usual,
            )
        rows += n_rows
    if weights is not None and rows != len(weights):
        raise _wrong_length(len(weights), f"{rows} rows")
    return total, rows


def weights_of(chunk: Chunk, weights: Weights, first: int) -> Weights:
    """Return the weights of the rows of a chunk: its own, or those from a row on."""
    n_rows = chunk.columns.n_rows
    if weights is None:
        return chunk.weights
    if first + n_rows > len(weights):
        raise _wrong_length(len(weights), f"at least {first + n_rows} rows")
    return weights[first : first + n_rows]


def _wrong_length(n_weights: int, rows: str) -> TableError:
    weights = counted(n_weights, "weight")
    return TableError(f"sample_weight has {weights}, but the table has {rows}: give one for each")
