"""The clusters of one size as the page has them: figures, words, and every cell of the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.differences import differences, separation
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.results import Trait
from galileomix._fitted.traits import Description, descriptions
from galileomix._fitted.visible_text import shown
from galileomix._model.params import Floats
from galileomix._report.attribute_facts import WHOLE, AttributeFacts, thousandths
from galileomix._table import Numeric
from galileomix._words import shown_number, shown_times

MOST_CLUSTERS = 300
MOST_CELLS = 40_000
"""Of a mixture; where there are more, each cluster has those that differ most from the whole."""
VALUES_OF_A_CELL = 8

Cell = list[int] | list[float | str | int] | None
"""Of a category: value, thousandths, value, ...; of a number: mean, deviation, the mean as text,
and the thousandths that are the spike; None where it is left out."""


@dataclass(frozen=True)
class ClusterSummary:
    """One cluster."""

    label: int
    name: str
    size: int
    share: float
    density: float  # how many times as dense as all records, as a logarithm to order by
    times: str  # the same in words
    traits: list[list[str]]  # what sets it apart, and how common that is here and elsewhere
    differs: list[int]  # from the whole, attribute by attribute, in hundredths
    cells: list[Cell]


@dataclass(frozen=True)
class MixtureSummary:
    """The clusters of one size, and how much each attribute tells of them, in hundredths."""

    k: int
    clusters: list[ClusterSummary]
    separates: list[int]


def mixture_summary(
    model: FittedModel, attributes: Sequence[int], facts: Sequence[AttributeFacts]
) -> MixtureSummary:
    """Return the clusters of the size that answers, the largest first."""
    shown_here = list(attributes)
    differs, separates = differences(model).T[shown_here], separation(model)[shown_here]
    said, relative = descriptions(model), np.log10(model.relative_densities)
    labels = np.argsort(-model.mixture.alpha, kind="stable")[:MOST_CLUSTERS].tolist()
    cells = _cells(model, attributes, facts, differs, labels)
    clusters = [
        _cluster(model, i, said[i], float(relative[i]), differs[:, i], cells[n])
        for n, i in enumerate(labels)
    ]
    return MixtureSummary(model.k, clusters, np.rint(100 * separates).astype(int).tolist())


def _cluster(
    model: FittedModel,
    i: int,
    said: Description,
    density: float,
    differs: Floats,
    cells: list[Cell],
) -> ClusterSummary:
    share = float(model.mixture.alpha[i])
    return ClusterSummary(
        i,
        shown(said.name),
        round(share * model.N),
        round(share, 5),
        round(density, 3) if np.isfinite(density) else 0.0,
        shown_times(float(10.0**density)),
        [_trait(trait) for trait in said.traits],
        np.rint(100 * differs).astype(int).tolist(),
        cells,
    )


def _trait(trait: object) -> list[str]:
    if not isinstance(trait, Trait):
        return [shown(trait)]
    return [shown(trait), f"{trait.share:.0%}", f"{trait.rest:.0%}"]


def _cells(
    model: FittedModel,
    attributes: Sequence[int],
    facts: Sequence[AttributeFacts],
    differs: Floats,
    labels: Sequence[int],
) -> list[list[Cell]]:
    """Return the cells of each cluster, in the order of the attributes."""
    most = max(MOST_CELLS // max(len(labels), 1), 1)
    rank = np.argsort(np.argsort(-differs, axis=0, kind="stable"), axis=0)
    columns = [_column(model, a, fact) for a, fact in zip(attributes, facts, strict=True)]
    return [
        [column[i] if rank[n, i] < most else None for n, column in enumerate(columns)]
        for i in labels
    ]


def _column(model: FittedModel, a: int, fact: AttributeFacts) -> list[Cell]:
    attribute, (m, q) = model.schema.attributes[a], model.schema.places[a]
    if isinstance(attribute, Numeric):
        assert q is not None
        return _numbers(model, attribute, m, q)
    assert m is not None
    p = np.rint(WHOLE * model.mixture.values_of(m)[list(fact.codes)]).astype(int)
    return [_values(p[:, i].tolist()) for i in range(model.k)]


def _values(p: list[int]) -> list[int]:
    """Return the most probable values of a cluster in their order, each with its probability."""
    best = sorted(range(len(p)), key=lambda v: -p[v])[:VALUES_OF_A_CELL]
    return [number for v in sorted(best) if p[v] for number in (v, p[v])]


def _numbers(model: FittedModel, attribute: Numeric, m: int | None, q: int) -> list[Cell]:
    mean, deviation = model.mixture.mu[q], np.sqrt(model.mixture.var[q])
    spread = attribute.spread(mean, deviation).tolist()
    texts = [
        shown_number(x, attribute.unit, s)
        for x, s in zip(attribute.original(mean).tolist(), spread, strict=True)
    ]
    places = zip(mean.round(4).tolist(), deviation.round(4).tolist(), texts, strict=True)
    cells: list[Cell] = [[*place] for place in places]
    if m is None:
        return cells
    spikes = thousandths(model.mixture.values_of(m)[0])
    return [[*(cell or []), spike] for cell, spike in zip(cells, spikes, strict=True)]
