"""What becomes of a model file with something wrong in it: refused, loaded and sound, or worse."""

from __future__ import annotations

import resource
import tracemalloc
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from galileomix import (
    Galileo,
    GalileoClassifier,
    GalileoDetector,
    GalileoImputer,
    ModelFileError,
    load,
)
from galileomix._table import (
    Attribute,
    CategoryColumn,
    Column,
    Columns,
    NumberColumn,
    Numeric,
    Schema,
)

Estimator = Galileo | GalileoClassifier | GalileoDetector | GalileoImputer

CLOSE = 1e-6
PER_BYTE, ALWAYS = 16, 2**20
"""The memory that loading a file may take: so much per byte of it, and so much besides."""
ROOM = 2**28
"""What a process that loads files may take beyond what it has, whoever asks for it."""


@dataclass(frozen=True)
class Verdict:
    """What became of a file.

    Parameters
    ----------
    outcome : {"refused", "loaded", "failed"}
        Refused by a ModelFileError; loaded as a model that is sound; or anything else.
    why : str
        What was wrong where it failed.
    memory : float
        What loading took at most, as a share of what it may take.
    """

    outcome: str
    why: str = ""
    memory: float = 0.0


def judged(data: bytes, path: Path) -> Verdict:
    """Load a file of these bytes and see what comes of it; tracemalloc must be on."""
    path.write_bytes(data)
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    model, outcome, why = None, "refused", ""
    try:
        model = load(path)
    except ModelFileError:
        pass
    except Exception as error:
        outcome, why = "failed", repr(error)[:200]
    _, peak = tracemalloc.get_traced_memory()
    if model is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # an overflow ends in no number
            why = unsound(model)
        outcome = "failed" if why else "loaded"
    memory = (peak - before) / (PER_BYTE * len(data) + ALWAYS)
    return Verdict(outcome, why, memory) if memory <= 1 else Verdict("failed", "memory", memory)


def unsound(loaded: Estimator) -> str:
    """Return what is wrong with a model that was loaded; nothing where it is sound."""
    try:
        model = loaded if isinstance(loaded, Galileo) else loaded.model_
        rows = _rows(model.schema_)
        if problem := _wrong_answer(loaded, rows):
            return problem
        arrays = model.to_dict()["arrays"]["k"]
        for k in model.path_.sizes:
            problem = _problem(model.schema_, arrays[str(k)])
            answers = model.at(k).predict_proba(rows)
            if problem or not _sums_to_one(answers.T):
                return problem or "probabilities of components that do not sum up to one"
        names = [each.name for each in model.components()]
        return "" if len(names) == model.n_components_ else "components without a name"
    except Exception as error:
        return repr(error)[:200]


def _wrong_answer(loaded: Any, rows: Columns) -> str:
    """Return what is wrong with what an estimator says of rows."""
    if isinstance(loaded, GalileoImputer):
        return "" if len(loaded.transform(rows)) == 2 else "rows that are missing"
    if isinstance(loaded, GalileoDetector):
        return "" if np.isfinite(loaded.score_samples(rows)).all() else "scores without end"
    known = set(loaded.predict(rows).tolist())
    possible = getattr(loaded, "classes_", known)
    sound = _sums_to_one(loaded.predict_proba(rows).T) and known <= set(possible)
    return "" if sound else "probabilities that do not sum up to one"


def _rows(schema: Schema) -> Columns:
    """Return two rows of values that the model knows, of exactly the types that they have."""
    known = {attribute.name: attribute for attribute in schema.attributes}
    columns = tuple(_column(column.name, known.get(column.name)) for column in schema.columns)
    return Columns(columns, 2, named=False)


def _column(name: str, attribute: Attribute | None) -> Column:
    if attribute is None:  # a column that is not modelled
        return NumberColumn(name, np.full(2, np.nan))
    if isinstance(attribute, Numeric):
        numbers = [attribute.center, attribute.center + attribute.scale]
        return NumberColumn(attribute.name, np.array(numbers))
    values = attribute.values or (None,)
    return CategoryColumn(attribute.name, values, np.array([0, len(values) - 1], np.uint32))


def _problem(schema: Schema, arrays: dict[str, Any]) -> str:
    alpha, p = np.array(arrays["alpha"]), np.array(arrays["p"])
    if not _sums_to_one(alpha):
        return "weights that do not sum up to one"
    ends = np.cumsum(schema.cardinalities, dtype=int)
    for first, last in zip([0, *ends[:-1]], ends, strict=True):
        if first < last and not _sums_to_one(p[first:last]):
            return "probabilities of values that do not sum up to one"
    Sigma = np.array(arrays["Sigma"])
    if Sigma.size and not _is_positive(Sigma):
        return "a covariance that is not positive definite"
    return "" if np.isfinite(np.array(arrays["mu"], dtype=float)).all() else "means without end"


def _is_positive(Sigma: Any) -> bool:
    """Return whether covariances are positive definite, whatever the units of numbers are."""
    if Sigma.ndim == 2:
        return bool((Sigma > 0).all())
    variance = np.einsum("qqi->qi", Sigma)
    if not (variance > 0).all():
        return False
    correlation = Sigma / np.sqrt(variance)[:, None] / np.sqrt(variance)[None]
    return bool((np.linalg.eigvalsh(correlation.transpose(2, 0, 1)) > 0).all())


def _sums_to_one(p: Any) -> bool:
    return bool((p >= 0).all() and (np.abs(p.sum(axis=0) - 1.0) < CLOSE).all())


@contextmanager
def guarded() -> Generator[None]:
    """Trace memory, and let the process have little more of it than it has."""
    with limited():
        tracemalloc.start()
        try:
            yield
        finally:
            tracemalloc.stop()


@contextmanager
def limited() -> Generator[None]:
    """Let the process have little more memory than it has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ROOM, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
