"""Tables with what a model predicts for every row, a chunk at a time."""

from __future__ import annotations

import warnings
from typing import Any

from galileomix._cli.model_arguments import mixture_of
from galileomix._cli.output import format_of, open_writer, with_columns
from galileomix._cli.table_arguments import TableFiles, needed_columns
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.detector import GalileoDetector
from galileomix._estimators.loading import Model
from galileomix._table import Columns
from galileomix.errors import GalileoWarning


def write_predictions(model: Model, files: TableFiles, output: str, as_json: bool) -> None:
    """Write a table with the predictions of a model as further columns."""
    mixture = mixture_of(model)
    format = format_of(output, as_json)
    with files.opened(mixture.missing_values) as source:
        needed = needed_columns(source, mixture)
        with open_writer(output, format) as writer:
            for chunk in needed.chunks():
                with chunk.placed():
                    new = _predictions(model, chunk.columns)
                writer.write(with_columns(chunk.raw, source.names, new))


def _predictions(model: Model, columns: Columns) -> dict[str, Any]:
    """Return the columns to add."""
    if isinstance(model, GalileoDetector):
        scores = model.score_samples(columns)
        return {"outlier": scores < model.offset_, "score": scores}
    shares = model.predict_proba(columns)
    if isinstance(model, GalileoClassifier):
        best = model.classes_[shares.argmax(axis=1)]
        return {"predicted": best.tolist(), "probability": shares.max(axis=1)}
    with warnings.catch_warnings():
        # A second pass over the same rows, which warns of the same values.
        warnings.simplefilter("ignore", GalileoWarning)
        log_density = model.score_samples(columns)
    best = shares.argmax(axis=1)
    return {"cluster": best, "probability": shares.max(axis=1), "log_density": log_density}
