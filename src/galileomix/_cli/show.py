"""A fit in the terminal: progress on stderr, then the path and the components on stdout."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.galileo import Galileo
from galileomix._fitted.answers import NumberDistribution, in_words
from galileomix._fitted.results import Component, FitSummary, Path, Progress
from galileomix._table import Reading, cells, open_table, read
from galileomix._words import counted

WIDTH_OF_A_FILE = 140
"""Columns to print when the output is not a terminal."""
ROOMY, FEW_TRAITS = 110, 3
"""Below this width only the first few traits of a component are shown."""
BAR_WIDTH = 40
"""How long the bar of a certain value is."""
CRITERIA = ("density", "aic", "bic")
WORDS = {"density": "density", "aic": "AIC", "bic": "BIC"}


def fit_with_progress(
    table: Any, name: str, parameters: dict[str, Any]
) -> tuple[Galileo, FitSummary]:
    """Fit a table, telling on stderr how it goes."""
    source = open_table(table)
    began = time.perf_counter()
    with telling(source, name) as tell:
        model = Galileo(**parameters, progress=tell).fit(source)
    model.progress = False  # it has been told: nothing to keep
    seconds = time.perf_counter() - began
    summary = FitSummary(
        name,
        len(model.labels_),
        model.n_features_in_,
        model.path_,
        tuple(model.components()),
        model.n_passes_,
        seconds,
    )
    return model, summary


def classify_with_progress(
    table: Any, classes: Any, name: str, parameters: dict[str, Any]
) -> tuple[GalileoClassifier, FitSummary]:
    """Fit a classifier to a table and the column of its classes."""
    began = time.perf_counter()
    labels = cells(read(classes).columns[0]).tolist()
    with telling(table, name) as tell:
        unfitted = Galileo(**parameters, progress=tell)
        classifier = GalileoClassifier(unfitted).fit(table, labels)
    inner = classifier.model_
    for each in (unfitted, inner):
        each.progress = False  # it has been told: nothing to keep
    summary = FitSummary(
        name,
        len(labels),
        inner.n_features_in_,
        inner.path_,
        tuple(inner.components()),
        inner.n_passes_,
        time.perf_counter() - began,
    )
    return classifier, summary


@contextmanager
def telling(source: Any, name: str) -> Generator[Callable[[Progress | Reading], None]]:
    """Give what tells on stderr how a fit goes: in one line that changes, if that is a terminal."""
    console = Console(stderr=True)
    with console.status(escape(name)) as status:
        what = name

        def begin(n_rows: int) -> None:
            nonlocal what
            attributes = counted(len(source.names), "attribute")
            what = f"{name}: {counted(n_rows, 'record')}, {attributes}"
            if not console.is_terminal:
                console.print(escape(f"fitting {what} ..."), highlight=False)

        def tell(step: Progress | Reading) -> None:
            if isinstance(step, Reading):
                status.update(escape(f"{name}: {step}"))
                if step.done and step.stage == "encode":
                    begin(step.rows)
                return
            best = f"{counted(step.k, 'component')}, {WORDS[step.criterion]} {step.value:.6g}"
            status.update(escape(f"{what}; best so far {best} ({step.n_passes} passes)"))

        if source.n_rows is not None:
            begin(source.n_rows)
        yield tell


def print_summary(summary: FitSummary, classes: Sequence[Any] = ()) -> None:
    """Print a fit as two tables and a line of words; of a classifier, without the path."""
    console = stdout_console()
    if not classes:
        console.print(_path_table(summary.path))
    most = FEW_TRAITS if console.width < ROOMY else None
    console.print(_component_table(summary.components, most))
    if not classes:
        print_verdict(summary)
        return
    found = f"{counted(len(classes), 'class', 'classes')} ({', '.join(map(str, classes))})"
    told = f"{summary.name}: {found} told apart by {counted(summary.path.chosen, 'kind')}"
    Console(highlight=False, soft_wrap=True).print(escape(told))


def print_verdict(summary: FitSummary) -> None:
    """Print what was found in one line, and on stderr what it took."""
    Console(highlight=False, soft_wrap=True).print(escape(verdict(summary)))
    passes = counted(summary.n_passes, "pass", "passes")
    took = f"{passes} over the data in {summary.seconds:.1f} s"
    Console(highlight=False, stderr=True).print(took)


def to_json(summary: FitSummary) -> str:
    """Return a fit as JSON text."""
    return json.dumps(finite(asdict(summary)), indent=2, default=str, allow_nan=False)


def anomalies_as_json(found: Sequence[Any]) -> str:
    """Return rows that stand out as JSON text."""
    rows = [finite(asdict(each)) for each in found]
    return json.dumps(rows, indent=2, default=str, allow_nan=False)


def print_anomalies(found: Sequence[Any]) -> None:
    """Print rows that stand out, and why."""
    table = Table(title="The rows that stand out, the strangest first", title_justify="left")
    for heading in ("row", "score", "p-value"):
        table.add_column(heading, justify="right")
    table.add_column("what is surprising in it")
    for each in found:
        reasons = "\n".join(escape(str(reason)) for reason in each.reasons)
        table.add_row(str(each.row), f"{each.score:.2f}", f"{each.p_value:.4f}", reasons)
    stdout_console().print(table)


def distribution_as_json(found: Any) -> str:
    """Return a distribution as JSON text."""
    if isinstance(found, NumberDistribution):
        low, high = found.interval()
        data: Any = {"mean": found.mean, "deviation": found.deviation, "interval": [low, high]}
    else:
        data = [{"value": value, "probability": p} for value, p in found.items()]
    return json.dumps(data, indent=2, default=str)


def print_distribution(target: str, given: Sequence[str], found: Any) -> None:
    """Print the values of a column with their probabilities."""
    console = stdout_console()
    if isinstance(found, NumberDistribution):
        console.print(escape(str(found)))
        return
    title = f"{target}, given {', '.join(given)}" if given else target
    table = Table(title=escape(title), title_justify="left")
    table.add_column("value")
    table.add_column("probability", justify="right")
    table.add_column("")
    for value, p in found.items():
        table.add_row(escape(in_words(value)), f"{p:.1%}", "█" * round(BAR_WIDTH * p))
    console.print(table)


def model_as_json(model: Any) -> str:
    """Return what a model is as JSON text, its parameters left out."""
    kept = ("estimator", "galileomix_version", "n_records", "n_components", "path", "schema")
    data = model.to_dict()
    about = {name: data[name] for name in kept} | {"components": data["components"]}
    return json.dumps(about, indent=2)


def print_model(name: str, model: Any) -> None:
    """Print what a model is: its columns, its path and its components."""
    inner = getattr(model, "model_", model)
    console = stdout_console()
    path, schema = inner.path_, inner.schema_
    categories, numbers = len(schema.categorical), len(schema.numeric)
    console.print(_path_table(path))
    most = FEW_TRAITS if console.width < ROOMY else None
    console.print(_component_table(tuple(inner.components()), most))
    how = f"chosen by {WORDS[path.criterion]}"
    if isinstance(model, GalileoClassifier):
        how = f"for the classes {', '.join(map(str, model.classes_.tolist()))}"
    console.print(
        escape(
            f"{name}: a {type(model).__name__} of {counted(inner.n_components_, 'component')}, "
            f"{how}; {counted(categories, 'category', 'categories')} "
            f"and {counted(numbers, 'number')}: {', '.join(schema.names)}"
        ),
        soft_wrap=True,
    )


def stdout_console() -> Console:
    """Return what prints on stdout, in lines that are wide enough where that is a file."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDTH_OF_A_FILE)


def finite(value: Any) -> Any:
    """Replace what JSON cannot say: an infinite density is null."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def verdict(summary: FitSummary) -> str:
    """Return what was found, in words."""
    path = summary.path
    step = next(step for step in path if step.k == path.chosen)
    value = f"{getattr(step, path.criterion):.6g}"
    return (
        f"{summary.name}: {counted(path.chosen, 'kind')} among "
        f"{counted(summary.n_rows, 'record')}, "
        f"chosen by {WORDS[path.criterion]} ({value})"
    )


def _path_table(path: Path) -> Table:
    table = Table(title="The path: one model of every size")
    for heading in ("k", "log-likelihood", "AIC", "BIC", "mean density"):
        table.add_column(heading, justify="right")
    table.add_column("best by")
    least = {each: path.best(each) for each in CRITERIA}
    for step in path:
        by = [WORDS[each] for each in CRITERIA if least[each] == step.k]
        chosen = step.k == path.chosen
        mark = ", ".join(by) + ("  <- chosen" if chosen else "")
        table.add_row(
            str(step.k),
            f"{step.log_likelihood:.1f}",
            f"{step.aic:.1f}",
            f"{step.bic:.1f}",
            f"{step.density:.4g}",
            mark,
            style="bold" if chosen else None,
        )
    return table


def _component_table(components: tuple[Component, ...], most: int | None) -> Table:
    table = Table(title="The components, largest first")
    for heading in ("label", "size", "share", "density"):
        table.add_column(heading, justify="right")
    table.add_column("what defines it")
    for each in components:
        table.add_row(
            str(each.label),
            f"{each.size:.1f}".removesuffix(".0"),
            f"{each.weight:.1%}",
            f"{each.density:.4g}",
            escape(each.named(most)),
        )
    return table
