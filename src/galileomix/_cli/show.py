"""What commands print: a fit, a model, anomalies, the distribution of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from galileomix._cli.anomalies import Anomaly
from galileomix._cli.model_arguments import mixture_of
from galileomix._cli.terminal import as_text, print_json, print_line, stdout_console
from galileomix._estimators.classifier import GalileoClassifier
from galileomix._estimators.loading import Model
from galileomix._fitted.distribution import NumberDistribution
from galileomix._fitted.results import Component, FitSummary, Path
from galileomix._fitted.visible_text import visible
from galileomix._table import Schema
from galileomix._words import CRITERIA, counted, shown_probability, shown_times, shown_value

WIDE = 110
"""Where the terminal is narrower, only the names of clusters are shown, without further traits."""
ONE_CLUSTER = (
    "one cluster: {criterion} found no split that is worth its parameters. Try {more}--drop for "
    "columns that are noise, or --categorical, --numeric or --ordered for columns of another type."
)
NO_TIME = (
    "one cluster so far: the search ended before it came to two. Give it more time, or "
    "--covariance diagonal, which takes less."
)
NO_REASON = "no single value, but all of them together"
MOST_SETS = 3
"""The most sets of columns that are shown."""
LEAST_P = 0.0001
"""The least p-value that is shown as a number."""
BAR_WIDTH = 40
"""The length of the bar of a probability of one."""
MODEL_FIELDS = (
    *("estimator", "galileomix_version", "n_records", "n_components", "path", "schema"),
    "components",
)
"""What `galileo info --json` prints of `to_dict`, which has all parameters of the model."""


def show_summary(summary: FitSummary, as_json: bool, classes: Sequence[Any] = ()) -> None:
    """Print a fit as two tables and a line, or as JSON; of a classifier, without the path."""
    if as_json:
        print_json(asdict(summary))
        return
    console = stdout_console()
    if not classes:
        console.print(_path_table(summary.path, summary.given))
    console.print(_cluster_table(summary.components, summary.path, console))
    if classes:
        clusters = counted(summary.path.chosen, "cluster")
        labels = f"{counted(len(classes), 'class', 'classes')} ({', '.join(map(str, classes))})"
        print_line(f"{summary.name}: {clusters} in {labels}")
    else:
        print_result(summary)


def print_result(summary: FitSummary) -> None:
    """Print the result of a fit in one line, and on stderr what it took."""
    path, criterion = summary.path, CRITERIA[summary.path.criterion]
    step = next(step for step in path if step.k == path.chosen)
    found = f"{counted(path.chosen, 'cluster')} in {counted(summary.n_rows, 'record')}"
    value = getattr(step, path.criterion)
    value = f"{value:.4g}" if path.criterion == "density" else f"{value:.1f}"
    how = f"as given ({criterion} {value})" if summary.given else f"chosen by {criterion} ({value})"
    print_line(f"{summary.name}: {found}, {how}")
    if path.chosen == 1 and not summary.given and (why := _why_one_cluster(summary)):
        print_line(why, stderr=True)
    print_line(summary.search.in_words(), stderr=True)


def _why_one_cluster(summary: FitSummary) -> str:
    """Return why there may be but one cluster, and what to try; "" where nothing can be."""
    path = summary.path
    if len(path) == 1:
        return "" if summary.search.complete else NO_TIME
    more = "--criterion aic, " if path.criterion == "bic" else ""
    return ONE_CLUSTER.format(criterion=CRITERIA[path.criterion], more=more)


def show_model(name: str, model: Model, as_json: bool) -> None:
    """Print the path, the clusters and the columns of a model, or these as JSON."""
    if as_json:
        data = model.to_dict()
        print_json({field: data[field] for field in MODEL_FIELDS})
        return
    mixture = mixture_of(model)
    path, schema = mixture.path_, mixture.schema_
    console = stdout_console()
    given = mixture.n_components != "auto"
    if not isinstance(model, GalileoClassifier):
        console.print(_path_table(path, given))
    console.print(_cluster_table(tuple(mixture.components()), path, console))
    how = "as given" if given else f"chosen by {CRITERIA[path.criterion]}"
    if isinstance(model, GalileoClassifier):
        how = f"in the classes {', '.join(map(str, model.classes_.tolist()))}"
    console.print(_column_table(schema))
    print_line(
        f"{name}: a {type(model).__name__} with {counted(mixture.n_components_, 'cluster')}, "
        f"{how}; {schema.in_words()}"
    )
    print_line(f"the search: {mixture.search_.in_words()}")


def show_anomalies(found: Sequence[Anomaly], as_json: bool) -> None:
    """Print rows that stand out, and why."""
    if as_json:
        print_json([asdict(anomaly) for anomaly in found])
        return
    table = Table(title="The most unusual rows", title_justify="left")
    for heading in ("row", "score", "p-value"):
        table.add_column(heading, justify="right")
    table.add_column("because of")
    table.add_column("surprising values")
    for anomaly in found:
        reasons = [str(reason) for reason in anomaly.reasons] or [NO_REASON]
        reasons += _usual_without(anomaly.usual_without)
        lines = "\n".join(map(as_text, reasons))
        p_value = f"{anomaly.p_value:.4f}" if anomaly.p_value >= LEAST_P else f"< {LEAST_P}"
        table.add_row(str(anomaly.row), f"{anomaly.score:.2f}", p_value, anomaly.kind, lines)
    stdout_console().print(table)


def _usual_without(sets: Sequence[tuple[str, ...]]) -> list[str]:
    """Return in words the columns without which a row would be usual; nothing where there are none.

    >>> _usual_without([("odor",), ("gill-color", "habitat")])
    ['usual without odor, or without gill-color and habitat']
    """
    shown = [f"without {' and '.join(columns)}" for columns in sets[:MOST_SETS]]
    more = ", or others" if len(sets) > MOST_SETS else ""
    return [f"usual {', or '.join(shown)}{more}"] if shown else []


def show_distribution(target: str, given: Sequence[str], found: Any, as_json: bool) -> None:
    """Print the values of a column with their probabilities; of a number, its mean and interval."""
    if isinstance(found, NumberDistribution):
        if as_json:
            spread = {"deviation": found.deviation, "interval": found.interval()}
            print_json({"mean": found.mean, **spread})
        else:
            print_line(str(found))
    elif as_json:
        print_json([{"value": value, "probability": p} for value, p in found.items()])
    else:
        stdout_console().print(_bars(target, given, found))


def _path_table(path: Path, given: bool) -> Table:
    table = Table(title="The best model of every size")
    by_density = path.criterion == "density"
    for heading in ("clusters", "log-likelihood", "AIC", "BIC"):
        table.add_column(heading, justify="right")
    if by_density:
        table.add_column("mean density", justify="right")
    table.add_column("")
    # By another criterion than that of the search a better model may be elsewhere.
    best = f"best by {CRITERIA[path.criterion]}  <- chosen" if len(path) > 1 else "the only one"
    mark = "<- given" if given else best
    for step in path:
        chosen = step.k == path.chosen
        table.add_row(
            str(step.k),
            f"{step.log_likelihood:.1f}",
            f"{step.aic:.1f}",
            f"{step.bic:.1f}",
            *([f"{step.density:.4g}"] if by_density else []),
            mark if chosen else "",
            style="bold" if chosen else None,
        )
    return table


def _cluster_table(components: Sequence[Component], path: Path, console: Console) -> Table:
    """Return the clusters; their densities as published only where these are the criterion."""
    by_density = path.criterion == "density"
    table = Table(title="The clusters, largest first")
    density = "density" if by_density else "times denser"
    for heading in ("cluster", "size", "share", density):
        table.add_column(heading, justify="right")
    table.add_column("what sets it apart")
    for component in components:
        also = f"; also {component.also}" if component.also and console.width >= WIDE else ""
        table.add_row(
            str(component.label),
            f"{component.size:.1f}".removesuffix(".0"),
            f"{component.weight:.1%}",
            f"{component.density:.4g}" if by_density else shown_times(component.relative_density),
            Text.assemble((visible(component.name), "bold"), visible(also)),
        )
    return table


def _column_table(schema: Schema) -> Table:
    """Return how each column was taken, and why."""
    table = Table(title="The columns")
    for heading in ("column", "type", "because"):
        table.add_column(heading)
    table.add_column("missing", justify="right")
    modelled_as = {attribute.name: attribute.modelled_as for attribute in schema.attributes}
    units = {attribute.name: attribute.unit for attribute in schema.numeric}
    for column in schema.columns:
        unit = units.get(column.name)
        type_ = unit if unit in ("time", "duration") else column.type
        missing = f"{column.missing:.1%}" if column.missing else ""
        left_out = "" if column.modelled else ", left out"
        why = "; ".join([column.why, *modelled_as.get(column.name, ())])
        table.add_row(as_text(column.name or "''"), type_ + left_out, as_text(why), missing)
    return table


def _bars(target: str, given: Sequence[str], found: Any) -> Table:
    title = f"{target}, given {', '.join(given)}" if given else target
    table = Table(title=as_text(title), title_justify="left")
    table.add_column("value")
    table.add_column("probability", justify="right")
    table.add_column("")
    for value, p in found.items():
        table.add_row(as_text(shown_value(value)), shown_probability(p), "█" * round(BAR_WIDTH * p))
    return table
