"""One look at every row of a table: which cluster it is of, and how improbable it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted import rowwise
from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.fitted_table import are_fitted
from galileomix._fitted.new_table import NewTable
from galileomix._model.params import Floats, Ints
from galileomix._table import Block, Categorical, Schema

EXAMPLES = 3
"""Records that are shown of each cluster."""
LEAST_PROBABLE = 500
"""Records that are judged in full, of those that are least probable among all and in clusters."""
SPREAD_OUT = 1000
"""Records that show what is usual."""


@dataclass(frozen=True, eq=False)
class TablePass:
    """What was seen of each row, (n,)."""

    labels: Ints
    probability: Floats  # of the cluster
    log_density: Floats  # under the chosen mixture
    overall: Floats  # the log density under the smallest mixture of the path
    n_missing: Ints  # cells
    n_attributes: int
    fitted: bool  # whether these are the rows that the model was fitted to

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def examples(self) -> list[Ints]:
        """The rows that are most typical of each cluster: surely of it, whole, and probable.

        Whole are those that miss no more cells than half of the cluster does. Fewer cells are
        always more probable together, so that what counts is how probable each known one is.
        """
        each = self.log_density / np.maximum(self.n_attributes - self.n_missing, 1)
        keys = (-each, -self.probability.round(3), self._incomplete, self.labels)
        order = np.lexsort(keys)
        ends = np.searchsorted(self.labels[order], np.arange(self.labels.max(initial=-1) + 2))
        first = zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        return [order[low : min(low + EXAMPLES, high)] for low, high in first]

    @property
    def _incomplete(self) -> NDArray[np.bool_]:
        """Whether a row misses more cells than half of its cluster."""
        found = np.zeros(len(self), np.bool_)
        for label in np.unique(self.labels):
            here = self.labels == label
            found[here] = self.n_missing[here] > np.median(self.n_missing[here])
        return found

    @cached_property
    def improbable(self) -> Ints:
        """The rows that may stand out, in their order: the least probable ones."""
        most = min(LEAST_PROBABLE, len(self))
        lowest = [
            np.argpartition(score, most - 1)[:most] for score in (self.log_density, self.overall)
        ]
        return np.unique(np.concatenate(lowest)).astype(np.intp)

    @cached_property
    def spread_out(self) -> Ints:
        """Rows from all over the table, in their order."""
        most = min(SPREAD_OUT, len(self))
        return np.linspace(0, len(self) - 1, most).round().astype(np.intp)


def pass_over(model: FittedModel, table: NewTable) -> TablePass:
    """Look at every row of a table once."""
    smallest = model.mixtures[min(model.mixtures)]

    def seen(block: Block) -> Floats:
        overall = rowwise.log_density(block, smallest, model.schema)
        known = rowwise.assignments(block, model.mixture, model.schema)
        return np.column_stack(
            [known, overall, _missing_cells(block, model.schema).astype(np.float64)]
        )

    labels, probability, log_density, overall, n_missing = table.map(seen).T
    fitted = are_fitted(model, log_density)
    labels, n_missing = labels.astype(np.intp), n_missing.astype(np.intp)
    known = (labels, probability, log_density, overall, n_missing)
    return TablePass(*known, model.schema.n_attributes, fitted)


def _missing_cells(block: Block, schema: Schema) -> Ints:
    """Return how many cells are missing in each row."""
    found = np.zeros(len(block), np.intp)
    for m, q in schema.places:
        if m is None:
            found += np.isnan(block.numbers[:, q])
        else:
            found += missing_codes(block.codes[:, m], schema.categorical[m])
    return found


def missing_codes(codes: NDArray[Any], attribute: Categorical) -> NDArray[np.bool_]:
    """Return which codes stand for no known value: missing ones, and those that fit never saw."""
    return codes >= len(attribute.values) - (None in attribute.values[-1:])
