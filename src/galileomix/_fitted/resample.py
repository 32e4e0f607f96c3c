"""How stable a model is: fit it to resampled rows, and see which components are recovered.

::

    label the rows by the model
    n_resamples times:
        draw as many records as there are, with replacement
        fit a model with the same settings to them, which chooses its number of components
        label all rows by it
        match: components that share more than half of the rows that either of them has
    per component: how often it was matched, and the range of its figures when it was
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._checks import check_integer
from galileomix._fitted import describe, rowwise
from galileomix._fitted.fit import Covariance, FitSettings, Fitted, fit_model
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import NewTable
from galileomix._fitted.seeds import RESAMPLING, seed_of
from galileomix._fitted.stability import Stability
from galileomix._model.params import Floats, Mixture
from galileomix._progress import Parts
from galileomix._table import Block, Folder, Prepared, Schema, check_weights, in_blocks, store
from galileomix._warn import warn
from galileomix.errors import GalileoWarning

Labels = NDArray[np.intp]

MATCH = 0.5
"""The overlap beyond which two components are the same: no third can reach it with either."""
INTERVAL = (0.025, 0.975)
MOST_DRAWS = 2**31 - 1


def stability(
    model: FittedModel,
    settings: FitSettings,
    table: NewTable,
    n_resamples: int,
    sample_weight: Any,
    memory_limit: int,
) -> Stability:
    """Return how often resampled rows recover the components; see `Galileo.stability`.

    ``settings`` are those of the fit; what they report to is told of the refits. Half of
    ``memory_limit``, in bytes, is for the table.
    """
    check_integer("n_resamples", n_resamples, 2)
    memory = memory_limit // 2
    with Folder() as folder:
        # The table is read once, as the model knows its columns; refits use the same values.
        blocks = store(table.blocks(), model.schema, folder, memory, weighted=False)
        labels = rowwise.labels(blocks, model.mixture)
        weights = check_weights(sample_weight, len(labels))
        rng = np.random.default_rng((settings.seed, RESAMPLING))
        parts = Parts(settings.report, "resample", int(n_resamples), alike=True)
        settings = replace(settings, report=parts.inner)
        resamples = _resampled(model, settings, blocks, weights, rng, memory)
        found = list(_compared(model, labels, weights, resamples, parts))
    return _summary(model, found)


@dataclass(frozen=True, eq=False)
class Resample:
    """What one resample says of the model's components."""

    k: int  # how many components were chosen
    overlap: Floats  # (k,) of each component of the model with the nearest one of the resample
    figures: Floats  # (n_figures, k) of that nearest one (see `_figures`)


def _resampled(
    model: FittedModel,
    settings: FitSettings,
    blocks: Sequence[Block],
    weights: Floats,
    rng: np.random.Generator,
    memory: int,
) -> Iterator[Fitted]:
    """Yield models fitted to the rows as often as they were drawn, without end."""
    own: Covariance = "diagonal" if model.mixture.layout.diagonal else "full"
    settings = replace(settings, covariance=own)
    while True:
        counts = drawn(weights, rng)
        seed = seed_of(int(rng.integers(2**31 - 1)))
        with Folder() as folder:
            rows = in_blocks(counted_rows(blocks, counts))
            stored = store(rows, model.schema, folder, memory, weighted=True)
            table = Prepared(model.schema, stored, partial(iter, blocks), model.named)
            fitted = fit_model(table, replace(settings, seed=seed, predictive="chosen"))
        yield fitted


def _compared(
    model: FittedModel,
    labels: Labels,
    weights: Floats,
    resamples: Iterator[Fitted],
    parts: Parts,
) -> Iterator[Resample]:
    """Yield what each resample says; repeat the first warning of the refits once."""
    messages: list[warnings.WarningMessage] = []
    for _ in range(parts.total):
        parts.begin("drawing")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            refit = next(resamples)
        messages += caught[:1]
        assert refit.labels is not None
        shared = overlaps(labels, refit.labels, weights, (model.k, refit.model.k))
        figures = _figures(refit.model.mixture, model.schema)[:, shared.argmax(axis=1)]
        yield Resample(refit.model.k, shared.max(axis=1), figures)
    if messages:
        first = f"the first: {messages[0].message}"
        warn(f"{len(messages)} of {parts.total} resamples led to warnings, {first}", GalileoWarning)


def counted_rows(blocks: Sequence[Block], counts: Floats) -> Iterator[Block]:
    """Yield the rows that were drawn, weighted by how often."""
    first = 0
    for block in blocks:
        last = first + len(block)
        part = Block(block.codes, block.numbers, counts[first:last])
        yield part.rows(part.weights > 0)
        first = last


def drawn(weights: Floats, rng: np.random.Generator) -> Floats:
    """Draw as many records as rows stand for; return how often each row was drawn.

    Rows of weight zero take no part. Where the weights do not sum to a whole number, the result
    is scaled to the same sum.

    Examples
    --------
    >>> drawn(np.array([5.0, 0.0, 5.0]), np.random.default_rng(0)).tolist()
    [6.0, 0.0, 4.0]
    """
    counts, counted = np.zeros(len(weights)), weights > 0
    N = float(weights[counted].sum())
    n_draws = int(np.clip(np.rint(N), 1, MOST_DRAWS))
    counts[counted] = rng.multinomial(n_draws, weights[counted] / N)
    return counts * (N / n_draws)


def overlaps(ours: Labels, theirs: Labels, weights: Floats, shape: tuple[int, int]) -> Floats:
    """Return Jaccard's overlap of every component of one labelling with every one of another.

    It is the weight of the rows that are in both, as a share of those that are in either.

    Examples
    --------
    >>> overlaps(np.array([0, 0, 1]), np.array([1, 1, 1]), np.ones(3), (2, 2)).round(2).tolist()
    [[0.0, 0.67], [0.0, 0.33]]
    """
    both = np.bincount(ours * shape[1] + theirs, weights, shape[0] * shape[1]).reshape(shape)
    either = both.sum(axis=1, keepdims=True) + both.sum(axis=0) - both
    return np.divide(both, either, out=np.zeros(shape), where=either > 0)


def _figures(mixture: Mixture, schema: Schema) -> Floats:
    """Return below one another the weight, the probabilities, and the means in the user's units."""
    means = [number.original(mu) for number, mu in zip(schema.numeric, mixture.mu, strict=True)]
    return np.concatenate([mixture.alpha[np.newaxis], mixture.p, *(m[np.newaxis] for m in means)])


def _summary(model: FittedModel, found: Sequence[Resample]) -> Stability:
    overlap = np.array([resample.overlap for resample in found])
    matched = overlap > MATCH
    figures = _figures(model.mixture, model.schema)
    low, high = _intervals(np.array([resample.figures for resample in found]), matched)
    sizes = pd.Series([resample.k for resample in found]).value_counts().sort_index()
    components = pd.DataFrame(
        {
            "label": np.arange(model.k),
            "weight": figures[0],
            "weight_low": low[0],
            "weight_high": high[0],
            "recovered": matched.mean(axis=0),
            "jaccard": overlap.mean(axis=0),
            "name": [component.name for component in describe.components(model)],
        }
    )
    V = 1 + model.mixture.layout.n_values
    bounds = {"low": low, "high": high}
    probabilities = {"probability": figures[1:V]} | {name: x[1:V] for name, x in bounds.items()}
    means = {"mean": figures[V:]} | {name: x[V:] for name, x in bounds.items()}
    pairs = [(column.name, value) for column in model.schema.categorical for value in column.values]
    keys = {"attribute": [name for name, _ in pairs], "value": [value for _, value in pairs]}
    numbers = {"attribute": [number.name for number in model.schema.numeric]}
    return Stability(
        len(found),
        sizes.rename("resamples").rename_axis("k"),
        components,
        _long(keys, probabilities),
        _long(numbers, means),
    )


def _long(keys: dict[str, list[Any]], figures: dict[str, Floats]) -> pd.DataFrame:
    """Return one row per component and row of the arrays, component by component."""
    n_rows, k = next(iter(figures.values())).shape
    values = {name: pd.Series(column * k, dtype=object) for name, column in keys.items()}
    flat = {name: array.T.ravel() for name, array in figures.items()}
    frame = pd.DataFrame({"label": np.repeat(np.arange(k), n_rows), **values, **flat})
    return frame.astype({"attribute": "str"})


def _intervals(figures: Floats, matched: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the range of most figures, over the resamples that recover a component."""
    bounds = np.full((2, *figures.shape[1:]), np.nan)
    for i in np.flatnonzero(matched.any(axis=0)):
        bounds[:, :, i] = np.quantile(figures[matched[:, i], :, i], INTERVAL, axis=0)
    return bounds[0], bounds[1]
