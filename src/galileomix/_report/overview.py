"""The summary of a fit in sentences: the clusters, how sure the search is, what was noteworthy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.visible_text import shown
from galileomix._report.data_quality import ColumnQuality, constant_columns
from galileomix._report.mixture_summary import MixtureSummary
from galileomix._report.provenance import Origin
from galileomix._report.table_rows import TableRows
from galileomix._words import CRITERIA, counted, shown_probability

SMALL_CHANCE = 0.05
"""Of a better answer: below it the search counts as sure."""
SHOWN_NAMES = 3
NO_ANOMALY = "No record stands out more than chance would have it."


def headline(model: FittedModel) -> str:
    """Return the first sentence."""
    records, columns = round(model.N), len(model.schema.columns)
    found = counted(model.k, "cluster")
    return f"{found} in {records:,} records of {counted(columns, 'column')}"


def sentences(
    model: FittedModel,
    chosen: MixtureSummary,
    quality: Sequence[ColumnQuality],
    rows: TableRows | None,
    origin: Origin,
) -> list[str]:
    """Return what a reader should know before anything else."""
    return [
        *_clusters(model, chosen, origin.given),
        _choice(model, origin),
        _certainty(model),
        *_data(model, quality),
        *_unseen(model, rows),
        *_anomalies(rows),
    ]


def _clusters(model: FittedModel, chosen: MixtureSummary, given: bool) -> Iterator[str]:
    if model.k == 1:
        if len(model.path) > 1 and model.path.chosen == 1 and not given:
            yield "All records are alike enough for one cluster: no grouping of them pays."
        return
    first, last = chosen.clusters[0], chosen.clusters[-1]
    yield (
        f"The largest cluster holds {shown_probability(first.share)} of the records "
        f"({first.size:,}), the smallest {shown_probability(last.share)} ({last.size:,})."
    )


def _choice(model: FittedModel, origin: Origin) -> str:
    if origin.classes is not None:
        return f"Each cluster is of one of {origin.classes.in_words()}."
    path, k = model.path, model.k
    name = CRITERIA.get(path.criterion, path.criterion)
    if origin.given or k != path.chosen:
        return f"The number of clusters was given; {name} prefers {path.best(path.criterion)}."
    if len(path) == 1:
        return f"It is the only number of clusters that was looked at, by {name}."
    values = {step.k: getattr(step, path.criterion) for step in path}
    others = [value for k, value in values.items() if k != path.chosen]
    better = abs(values[path.chosen] - (max if path.criterion == "density" else min)(others))
    return (
        f"Their number was chosen automatically: by {name} it is better by {better:,.3g} than any "
        f"other from {path.sizes[0]} to {path.sizes[-1]}."
    )


def _certainty(model: FittedModel) -> str:
    search = model.search
    if not search.complete:
        return "The search was ended before it was done: there may be a better answer."
    if search.chance_of_better is None:
        return f"The search took {counted(search.n_passes, 'pass', 'passes')} over the data."
    chance = f"{search.chance_of_better:.0%}"
    sure = "The search is sure" if search.chance_of_better < SMALL_CHANCE else "Not quite certain"
    return f"{sure}: the chance that a much longer search finds a better answer is {chance}."


def _data(model: FittedModel, quality: Sequence[ColumnQuality]) -> Iterator[str]:
    left_out = [column.name for column in model.schema.left_out]
    if left_out:
        yield f"Left out of the model: {_named(left_out)}."
    if constant := sorted(constant_columns(model)):
        yield f"Constant, so ignored: {_named(constant)}."
    known = model.schema.modelled
    missing = [column.missing for column in known]
    if any(missing):
        share = shown_probability(sum(missing) / len(missing))
        most = max(known, key=lambda column: column.missing)
        yield (
            f"{share} of the cells are missing, most of them in {shown(most.name)} "
            f"({shown_probability(most.missing)})."
        )
    odd = sum(column.noteworthy for column in quality)
    if not odd and not any(missing):
        yield "Nothing about the columns was noteworthy: no cell is missing, all are in the model."


def _unseen(model: FittedModel, rows: TableRows | None) -> Iterator[str]:
    found = {} if rows is None else rows.unseen
    names = model.schema.names
    columns = [
        f"{shown(names[a])} ({counted(one.n_rows, 'row')}, such as “{one.values[0]}”)"
        for a, one in sorted(found.items(), key=lambda pair: -pair[1].n_rows)
    ]
    if columns:
        more = f" and {len(columns) - SHOWN_NAMES} more" if len(columns) > SHOWN_NAMES else ""
        yield f"Values that were not fitted are in {', '.join(columns[:SHOWN_NAMES])}{more}."


def _anomalies(rows: TableRows | None) -> Iterator[str]:
    if rows is None:
        return
    unusual = rows.unusual
    if not unusual.n_anomalies:
        yield NO_ANOMALY
        return
    first = unusual.anomalies[0]
    blamed = f", by {first.cells[0].attribute}" if first.cells else ""
    name = f" ({rows.names[first.row]})" if rows.names.get(first.row) else ""
    many = counted(unusual.n_anomalies, "record stands", "records stand")
    yield f"{many} out; most of all row {first.row:,}{name}{blamed}: {first.evidence}."


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return ", ".join(map(shown, names[:SHOWN_NAMES])) + more
