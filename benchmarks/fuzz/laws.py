"""What holds for every table: each law is a generator of what is wrong, empty where it holds."""

from __future__ import annotations

import math
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from benchmarks.fuzz.answers import answers
from benchmarks.fuzz.cases import Case
from benchmarks.fuzz.forms import Columns, as_held, in_form, types_of
from benchmarks.fuzz.oracle import Unclear, log_density
from galileomix import Galileo, GalileoError
from galileomix._fitted.results import Step

CLOSE = 1e-6
"""Of values that two sums in another order may give."""
ROUNDING = 1e-15
"""Of one record: the logarithm of a probability near one has no more digits."""
SAME_MODEL = 1e-4
"""In nats: fits of the same records in another order end at the same optimum."""
WEIGHTY = 1e10
"""All weights together: EM stops at a billionth of them, which is then what a component costs."""
UNSURE = 0.05
"""A search that sees a chance like this of a better model may have missed it."""


class Fitted(NamedTuple):
    """A case, its table, and the model that was fitted to it."""

    case: Case
    table: Any
    model: Galileo


def verdict(case: Case) -> tuple[str, list[str]]:
    """Return "refused" or "fitted", and every law that is broken."""
    table = in_form(case.columns, case.form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = Galileo(**case.parameters).fit(table, sample_weight=case.weights)
        except GalileoError as error:
            return "refused", [] if len(str(error)) > 20 else [f"refusal: it says {error}"]
        except BaseException as error:
            return "fitted", [f"fit: {_told(error)}"]
        return "fitted", list(broken(Fitted(case, table, model)))


def broken(fitted: Fitted) -> Iterator[str]:
    """Yield every law that a fitted model breaks."""
    for law in LAWS:
        try:
            yield from (f"{law.__name__}: {wrong}" for wrong in law(fitted))
        except BaseException as error:  # PanicException of polars is no Exception
            yield f"{law.__name__}: {_told(error)}"


def _told(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt | SystemExit):
        raise error
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = "" if last is None else f" ({Path(last.tb_frame.f_code.co_filename).name}"
    line = "" if last is None else f":{last.tb_lineno})"
    return f"{type(error).__name__}: {str(error)[:150]}{place}{line}"


def finite(fitted: Fitted) -> Iterator[str]:
    """No number of the model is NaN or infinite."""
    for k, arrays in fitted.model.to_dict()["arrays"]["k"].items():
        for name, array in arrays.items():
            if not np.isfinite(np.asarray(array, dtype=float)).all():
                yield f"{name} of {k} components"
    for step in fitted.model.path_.steps:
        if not all(map(math.isfinite, (step.log_likelihood, step.aic, step.bic))):
            yield f"path at {step.k}: {step}"
    if np.isnan(fitted.model.densities_).any():
        yield "densities_"


def climbing(fitted: Fitted) -> Iterator[str]:
    """The log-likelihood never falls from one size of the path to the next.

    The search promises it of AIC and BIC, but for a number of components that was asked for and
    has to be there. Annealing visits sizes downwards; and by density the model of a size is that
    of the highest density, which need not be the likeliest.
    """
    asked, numbers = fitted.case.parameters, bool(fitted.model.schema_.numeric)
    if not asked.get("refine", True) or asked.get("criterion") == "density":
        return
    steps = fitted.model.path_.steps
    for less, more in pairwise(steps):
        fall = less.log_likelihood - more.log_likelihood
        wanted = numbers and more.k == asked.get("n_components")
        if fall > CLOSE * (1 + abs(less.log_likelihood)) and not wanted:
            yield f"{less.k} to {more.k}: falls by {fall:.3g}"


def probabilities(fitted: Fitted) -> Iterator[str]:
    """Probabilities sum to one; labels are what `predict` says, and consecutive.

    But for a row of no weight, which may be of a component that no other row is of.
    """
    p, model = fitted.model.predict_proba(fitted.table), fitted.model
    if not (np.abs(p.sum(axis=1) - 1.0) < CLOSE).all() or not (p >= 0).all():
        yield f"sum up to {p.sum(axis=1).min()} ... {p.sum(axis=1).max()}"
    labels, predicted = model.labels_, model.predict(fitted.table)
    if not np.array_equal(labels, predicted):
        yield f"labels_ differ from predict in {int((labels != predicted).sum())} rows"
    found = set(labels[np.array(fitted.case.weights or [1.0] * len(labels)) > 0].tolist())
    if found != set(range(max(found) + 1)):
        yield f"labels are {sorted(found)}"


def criteria(fitted: Fitted) -> Iterator[str]:
    """AIC, BIC and the path agree with `score`, to the digits that a sum over so many has."""
    model, (_, table, _), weights = fitted.model, fitted, fitted.case.weights
    step = next(step for step in model.path_.steps if step.k == model.n_components_)
    found = {
        "log_likelihood": model.score(table, sample_weight=weights) * model.n_records_,
        "aic": model.aic(table, sample_weight=weights),
        "bic": model.bic(table, sample_weight=weights),
    }
    for name, value in found.items():
        if not _close(value, getattr(step, name), ROUNDING * model.n_records_):
            yield f"{name} is {value}, on the path {getattr(step, name)}"


def scores(fitted: Fitted) -> Iterator[str]:
    """`score_samples` is what the public parameters say."""
    data, names = fitted.model.to_dict(), list(fitted.case.columns)
    if not data["named"]:
        names = [f"x{m}" for m in range(len(names))]
    rows = zip(*as_held(fitted.case.columns, fitted.table).values(), strict=True)
    for a, (row, score) in enumerate(
        zip(rows, fitted.model.score_samples(fitted.table), strict=True)
    ):
        try:
            expected = log_density(dict(zip(names, row, strict=True)), data)
        except Unclear:
            continue
        if not _close(score, expected):
            yield f"row {a}: {score} instead of {expected}"
            return


def saved(fitted: Fitted) -> Iterator[str]:
    """A saved model is the same to the bit."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first", Path(folder) / "second"
        fitted.model.save(first)
        loaded = Galileo.load(first)
        loaded.save(second)
        if first.read_bytes() != second.read_bytes():
            yield "saved again it is another file"
    before, after = (model.score_samples(fitted.table) for model in (fitted.model, loaded))
    if not np.array_equal(before, after, equal_nan=True):
        yield "it scores otherwise"


def unchanged(fitted: Fitted) -> Iterator[str]:
    """The order of rows and columns is none of the model; weights are rows.

    Columns in another order are other draws of kicks: only a search to its end comes to the same,
    if it says that there is hardly a better model.
    Where a library makes another table of the cells in another order there is nothing to compare.
    What a column is, such as an identifier, and which of its values are rare, is a matter of rows
    and not of weights. A model that EM
    had no time to finish is no optimum, to which other roundings would lead as well; nor has the
    likelihood of many more records than a computer can tell apart the digits to choose by.
    """
    case, rng = fitted.case, Random(fitted.case.seed)
    if case.change == "columns" and not _searched_to_its_end(case.parameters):
        return
    columns, weights = CHANGES[case.change](case, rng)
    if columns is None:
        return
    table = in_form(columns, case.form)
    if types_of(table) != types_of(fitted.table):
        return
    only_the_path = {**case.parameters, "predictive": "chosen"}
    try:
        other = Galileo(**only_the_path).fit(table, sample_weight=weights)
    except GalileoError:
        if case.change == "twice":  # nothing but identifiers
            return
        raise
    other_rows = case.change in ("twice", "none")
    if other_rows and _types(other) != _types(fitted.model):
        return
    one, two = (model.path_.steps[_best(model)] for model in (fitted.model, other))
    near = SAME_MODEL * max(1.0, fitted.model.n_records_)
    if case.change == "columns" and not (_is_sure(fitted.model) and _is_sure(other)):
        return
    if not (fitted.model.converged_ and other.converged_) or fitted.model.n_records_ > WEIGHTY:
        return
    if not are_equals(one, two, case.parameters, near):
        found = (f"{step.k} components at {step.log_likelihood}" for step in (one, two))
        yield f"{case.change}: {' or '.join(found)}"


def are_equals(one: Step, two: Step, parameters: dict[str, Any], near: float) -> bool:
    """Return whether two models are as good, those of another size by the criterion."""
    criterion = parameters.get("criterion", "bic")
    if one.k != two.k and criterion == "density":
        return False
    name = "log_likelihood" if one.k == two.k else criterion
    return abs(getattr(one, name) - getattr(two, name)) <= near


def _searched_to_its_end(parameters: dict[str, Any]) -> bool:
    return parameters["effort"] >= 1 and parameters.get("refine", True)


def _is_sure(model: Galileo) -> bool:
    chance = model.search_.chance_of_better
    return chance is not None and chance < UNSURE


def _types(model: Galileo) -> list[Any]:
    """Return what columns are, and which of their values stand alone."""
    schema = model.schema_
    values = [getattr(attribute, "values", None) for attribute in schema.attributes]
    return [[column.type for column in schema.columns], values]


def _best(model: Galileo) -> int:
    return model.path_.sizes.index(model.n_components_)


def _permuted_rows(case: Case, rng: Random) -> tuple[Columns | None, list[float] | None]:
    order = rng.sample(range(case.n_rows), case.n_rows)
    return _rows(case, order), _taken(case.weights, order)


def _permuted_columns(case: Case, rng: Random) -> tuple[Columns | None, list[float] | None]:
    names = rng.sample(list(case.columns), len(case.columns))
    return {name: case.columns[name] for name in names}, case.weights


def _row_twice(case: Case, rng: Random) -> tuple[Columns | None, list[float] | None]:
    """Split the weight of a row in two rows, where the row alone is a fraction of all."""
    weights = case.weights or [1.0] * case.n_rows
    if 2.0 not in weights:
        return None, None
    a = weights.index(2.0)
    order = [*range(case.n_rows), a]
    return _rows(case, order), [1.0 if b == a else weights[b] for b in order]


def _row_less(case: Case, rng: Random) -> tuple[Columns | None, list[float] | None]:
    """Leave out the rows of weight zero."""
    if not case.weights or 0.0 not in case.weights:
        return None, None
    held = [a for a, weight in enumerate(case.weights) if weight > 0]
    return _rows(case, held), _taken(case.weights, held)


CHANGES: dict[str, Callable[[Case, Random], tuple[Columns | None, list[float] | None]]] = {
    "rows": _permuted_rows,
    "columns": _permuted_columns,
    "twice": _row_twice,
    "none": _row_less,
}


def _rows(case: Case, order: list[int]) -> Columns:
    return {name: [cells[a] for a in order] for name, cells in case.columns.items()}


def _taken(weights: list[float] | None, order: list[int]) -> list[float] | None:
    return None if weights is None else [weights[a] for a in order]


def _close(one: float, two: float, rounding: float = 0.0) -> bool:
    if math.isinf(one) or math.isinf(two):
        return one == two
    return abs(one - two) <= CLOSE * (1.0 + abs(two)) + rounding


LAWS = (finite, climbing, probabilities, criteria, scores, saved, answers, unchanged)
