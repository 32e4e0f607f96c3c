"""All that a report shows, computed before any of it is rendered."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from galileomix._fitted.differences import separation
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import NewTable
from galileomix._fitted.visible_text import shown
from galileomix._report.attribute_facts import AttributeFacts, attribute_facts
from galileomix._report.attribute_pairs import AttributePairs, attribute_pairs
from galileomix._report.data_quality import ColumnQuality, data_quality
from galileomix._report.mixture_summary import MixtureSummary, mixture_summary
from galileomix._report.overview import headline, sentences
from galileomix._report.provenance import Origin, provenance
from galileomix._report.table_rows import TableRows, table_rows

MOST_ATTRIBUTES = 200
"""Attributes on the page: those that separate the clusters best."""
MOST_BYTES = 3_000_000
"""Of the mixtures of all sizes together; beyond it those farthest from the chosen are left out."""
MOST_SIZES = 32
TELLING = 10
"""Attributes of which the cells of example records are shown."""


@dataclass(frozen=True)
class ReportContents:
    """What the page shows."""

    table: str
    n_records: int  # that were fitted
    headline: str
    sentences: list[str]
    criterion: str
    chosen: int
    path: list[dict[str, float | None]]  # None where a density is infinite
    attributes: list[AttributeFacts]
    n_attributes: int  # of the model; those beyond `attributes` are left out
    mixtures: dict[int, MixtureSummary]
    pairs: AttributePairs
    telling: dict[int, list[int]]  # the attributes that are shown of each cluster's examples
    rows: TableRows | None
    quality: list[ColumnQuality]
    n_columns: int
    provenance: list[list[str]]
    classes: list[str]  # of a classifier's clusters, by label


def contents_of(model: FittedModel, table: NewTable | None, origin: Origin) -> ReportContents:
    """Compute what a report of a model shows, and of a table where there is one."""
    attributes = _attributes(model)
    facts = attribute_facts(model, attributes)
    mixtures = {one.k: one for one in _mixtures(model, attributes, facts)}
    chosen = mixtures[model.k]
    telling = {one.label: _telling(one.differs) for one in chosen.clusters}
    shown_of = {label: [attributes[n] for n in places] for label, places in telling.items()}
    rows = None if table is None else table_rows(model, table, shown_of)
    quality = data_quality(model, {} if rows is None else rows.unseen)
    return ReportContents(
        shown(origin.table) if origin.table else "",
        round(model.N),
        headline(model),
        sentences(model, chosen, quality, rows, origin),
        model.path.criterion,
        model.k,
        [_finite(asdict(step)) for step in model.path],
        facts,
        model.schema.n_attributes,
        mixtures,
        attribute_pairs(model, attributes, chosen.separates),
        telling,
        rows,
        quality,
        len(model.schema.columns),
        provenance(model, origin, rows),
        [] if origin.classes is None else origin.classes.of_clusters(),
    )


def _attributes(model: FittedModel) -> list[int]:
    """Return the attributes that separate the clusters best, in the order of the table."""
    return np.sort(np.argsort(-separation(model), kind="stable")[:MOST_ATTRIBUTES]).tolist()


def _mixtures(
    model: FittedModel, attributes: Sequence[int], facts: Sequence[AttributeFacts]
) -> Iterator[MixtureSummary]:
    """Yield the chosen size, then the nearest ones, while there is room on the page."""
    room = MOST_BYTES
    for k in sorted(model.mixtures, key=lambda k: abs(k - model.k))[:MOST_SIZES]:
        found = mixture_summary(model.at(k), attributes, facts)
        room -= len(json.dumps([vars(cluster) for cluster in found.clusters]))
        if room < 0 and k != model.k:
            return
        yield found


def _telling(differs: Sequence[int]) -> list[int]:
    """Return the attributes in which a cluster differs most from the whole, in their order."""
    best = sorted(range(len(differs)), key=lambda n: -differs[n])[:TELLING]
    return sorted(best)


def _finite(step: dict[str, float]) -> dict[str, float | None]:
    return {name: value if math.isfinite(value) else None for name, value in step.items()}
