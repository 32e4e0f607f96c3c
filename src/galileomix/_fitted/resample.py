"""How sure a model is: fit it anew to resampled rows, and see what is found again.

::

    label the rows by the model
    n_resamples times:
        draw as many records as there are, with replacement
        fit a model of the same parameters to them, which chooses its number of components
        label all rows by it
        match: components that share more than half of the rows that either of them has
    per component: how often it was matched, and between what its figures lay when it was
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from galileomix._checks import check_integer
from galileomix._estimators import parameters
from galileomix._fitted import rowwise
from galileomix._fitted.fitting import RESAMPLING, seed_of
from galileomix._fitted.stability import Stability
from galileomix._model.params import Floats, Mixture
from galileomix._table import (
    Block,
    Folder,
    Prepared,
    Schema,
    bytes_of,
    check_weights,
    in_blocks,
    known_blocks,
    store,
)
from galileomix._warn import warn
from galileomix.errors import GalileoWarning

Labels = NDArray[np.intp]

MATCH = 0.5
"""The overlap beyond which two components are the same: no third can reach it with either."""
INTERVAL = (0.025, 0.975)
MOST_DRAWS = 2**31 - 1


def stability(model: Any, X: Any, n_resamples: int, sample_weight: Any) -> Stability:
    """Return what becomes of a fitted model's components on resampled rows (see `Stability`)."""
    check_is_fitted(model)
    check_integer("n_resamples", n_resamples, 2)
    parameters.check(model)
    with Folder() as folder:
        blocks = _blocks(model, X, folder)
        labels = rowwise.labels(blocks, model._mixture)
        weights = check_weights(sample_weight, len(labels))
        rng = np.random.default_rng((seed_of(model.random_state), RESAMPLING))
        found = list(_found(model, blocks, labels, weights, rng, int(n_resamples)))
    return _summary(model, found)


@dataclass(frozen=True, eq=False)
class Found:
    """What one resample says of the model's components.

    Parameters
    ----------
    k : int
        How many components were chosen.
    overlap : ndarray of shape (n_components,)
        Of each component of the model with the nearest one that was found.
    figures : ndarray of shape (n_figures, n_components)
        The figures of that nearest one (see `_figures`).
    """

    k: int
    overlap: Floats
    figures: Floats


def _blocks(model: Any, X: Any, folder: Folder) -> Sequence[Block]:
    """Read the table once, as the model knows its columns; refits use the same values."""
    schema: Schema = model.schema_
    known = known_blocks(model._aligned(X), schema, model.unseen)
    return store(known, schema, folder, bytes_of(model.memory_limit) // 2, weighted=False)


def _found(
    model: Any,
    blocks: Sequence[Block],
    labels: Labels,
    weights: Floats,
    rng: np.random.Generator,
    n_resamples: int,
) -> Iterator[Found]:
    """Yield what each resample says; say once what the refits warned of."""
    said: list[warnings.WarningMessage] = []
    for _ in range(n_resamples):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            refit = _refit(model, blocks, drawn(weights, rng), int(rng.integers(2**31 - 1)))
        said += caught[:1]
        mixture: Mixture = refit._mixture
        shared = overlaps(labels, refit.labels_, weights, (model.n_components_, mixture.k))
        nearest = shared.argmax(axis=1)
        figures = _figures(mixture, model.schema_)[:, nearest]
        yield Found(mixture.k, shared.max(axis=1), figures)
    if said:
        first = f"the first time: {said[0].message}"
        warn(f"{len(said)} of {n_resamples} resamples led to warnings, {first}", GalileoWarning)


def _refit(model: Any, blocks: Sequence[Block], counts: Floats, seed: int) -> Any:
    """Return a model of the same parameters, fitted to the rows as often as they were drawn."""
    schema: Schema = model.schema_
    again: Any = clone(model)
    again.set_params(random_state=seed, progress=False)
    with Folder() as folder:
        rows = in_blocks(_counted(blocks, counts))
        limit = bytes_of(model.memory_limit) // 2
        kept = store(rows, schema, folder, limit, weighted=True)
        return again._fit(Prepared(schema, kept, partial(iter, blocks), model._named))


def _counted(blocks: Sequence[Block], counts: Floats) -> Iterator[Block]:
    """Yield the rows that were drawn, weighted by how often."""
    first = 0
    for block in blocks:
        last = first + len(block)
        part = Block(block.codes, block.numbers, counts[first:last])
        yield part.rows(part.weights > 0)
        first = last


def drawn(weights: Floats, rng: np.random.Generator) -> Floats:
    """Draw as many records as rows stand for; return how often each row was drawn.

    Rows of no weight take no part. Where the weights do not sum up to a whole number, the result
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
    scale = np.array([[each.scale] for each in schema.numeric]).reshape(-1, 1)
    center = np.array([[each.center] for each in schema.numeric]).reshape(-1, 1)
    return np.concatenate([mixture.alpha[np.newaxis], mixture.p, center + scale * mixture.mu])


def _summary(model: Any, found: Sequence[Found]) -> Stability:
    overlap = np.array([each.overlap for each in found])
    matched = overlap > MATCH
    figures = _figures(model._mixture, model.schema_)
    low, high = _intervals(np.array([each.figures for each in found]), matched)
    sizes = pd.Series([each.k for each in found]).value_counts().sort_index()
    components = pd.DataFrame(
        {
            "label": np.arange(model.n_components_),
            "weight": figures[0],
            "weight_low": low[0],
            "weight_high": high[0],
            "found": matched.mean(axis=0),
            "jaccard": overlap.mean(axis=0),
            "name": [each.name for each in model.components()],
        }
    )
    V = model._mixture.layout.n_values
    values, numbers = slice(1, 1 + V), slice(1 + V, None)
    probabilities = _long(figures[values], low[values], high[values], "probability")
    means = _long(figures[numbers], low[numbers], high[numbers], "mean")
    return Stability(
        len(found),
        sizes.rename("resamples").rename_axis("k"),
        components,
        _named_values(probabilities, model.schema_),
        _named_numbers(means, model.schema_),
    )


def _intervals(figures: Floats, matched: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return between what most figures lie, of the resamples where a component was found."""
    bounds = np.full((2, *figures.shape[1:]), np.nan)
    for i in np.flatnonzero(matched.any(axis=0)):
        bounds[:, :, i] = np.quantile(figures[matched[:, i], :, i], INTERVAL, axis=0)
    return bounds[0], bounds[1]


def _long(figure: Floats, low: Floats, high: Floats, name: str) -> pd.DataFrame:
    """Return one row per component and row of the arrays, component by component."""
    n_rows, k = figure.shape
    columns = {name: figure, "low": low, "high": high}
    flat = {column: each.T.ravel() for column, each in columns.items()}
    return pd.DataFrame({"label": np.repeat(np.arange(k), n_rows), **flat})


def _named_values(frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    pairs = [(each.name, value) for each in schema.categorical for value in each.values]
    times = len(frame) // max(1, len(pairs))
    frame.insert(1, "attribute", [name for name, _ in pairs] * times)
    values = pd.Series([value for _, value in pairs] * times, frame.index, dtype=object)
    frame.insert(2, "value", values)
    return frame


def _named_numbers(frame: pd.DataFrame, schema: Schema) -> pd.DataFrame:
    names = [each.name for each in schema.numeric]
    frame.insert(1, "attribute", names * (len(frame) // max(1, len(names))))
    return frame
