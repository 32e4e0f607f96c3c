"""Tables with what a model predicts for every row, a chunk at a time."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from galileomix._cli.chunk_tasks import by_chunk
from galileomix._cli.model_arguments import missing_of, mixture_of
from galileomix._cli.output import open_writer, types_for, with_columns
from galileomix._cli.output_paths import format_of
from galileomix._cli.reporting import reporting
from galileomix._cli.table_arguments import TableFiles, needed_columns, table_name
from galileomix._cli.typed_cells import TextTypes
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.loading import Model
from galileomix._estimators.model_methods import assignments
from galileomix._table import Chunk, Columns


def write_predictions(
    model: Model, files: TableFiles, output: str, as_json: bool, engine: Any
) -> None:
    """Write a table with the predictions of a model as further columns."""
    mixture = mixture_of(model)
    format = format_of(output, as_json)
    with files.opened(missing_of(model)) as source:
        needed = needed_columns(source, mixture)
        work = partial(_predicted, model, source.names, types_for(format, source))
        shown = reporting(table_name(source), output)
        with shown as report, open_writer(output, format) as writer:
            for rows in by_chunk(needed, work, "predicting", report, engine):
                writer.write(rows)


def _predicted(model: Model, names: tuple[str, ...], types: TextTypes, chunk: Chunk) -> Any:
    """Return the rows of a chunk, with the predictions beside them."""
    return with_columns(chunk.raw, names, _predictions(model, chunk.columns), types)


def _predictions(model: Model, columns: Columns) -> dict[str, Any]:
    """Return the columns to add."""
    if isinstance(model, GalileoDetector):
        scores = model.score_samples(columns)
        return {"outlier": scores < model.offset_, "score": scores}
    if isinstance(model, GalileoClassifier):
        shares = model.predict_proba(columns)
        best = model.classes_[shares.argmax(axis=1)]
        return {"predicted": best.tolist(), "probability": shares.max(axis=1)}
    found = assignments(mixture_of(model), columns)
    return {
        "cluster": found[:, 0].astype(np.intp),
        "probability": found[:, 1],
        "log_density": found[:, 2],
    }
