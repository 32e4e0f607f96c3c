"""Tables with what a model predicts for every row, a chunk at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from galileomix._cli.model_arguments import missing_of, mixture_of
from galileomix._cli.output import open_writer, types_for, with_columns
from galileomix._cli.output_paths import format_of
from galileomix._cli.reporting import reporting
from galileomix._cli.table_arguments import TableFiles, needed_columns, table_name
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.loading import Model
from galileomix._estimators.model_methods import assignments
from galileomix._table import Columns, chunks_reported


def write_predictions(model: Model, files: TableFiles, output: str, as_json: bool) -> None:
    """Write a table with the predictions of a model as further columns."""
    mixture = mixture_of(model)
    format = format_of(output, as_json)
    with files.opened(missing_of(model)) as source:
        needed = needed_columns(source, mixture)
        types = types_for(format, source)
        shown = reporting(table_name(source), output)
        with shown as report, open_writer(output, format) as writer:
            for chunk in chunks_reported(needed, "predicting", report):
                with chunk.placed():
                    new = _predictions(model, chunk.columns)
                writer.write(with_columns(chunk.raw, source.names, new, types))


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
