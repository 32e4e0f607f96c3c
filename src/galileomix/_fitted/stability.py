"""The record of how stable a model is under resampling of its rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from galileomix._fitted.notebook_html import Column, bar, table
from galileomix._words import counted


@dataclass(frozen=True, eq=False)
class Stability:
    """How often each component is recovered when the model is fitted to resampled rows.

    Parameters
    ----------
    n_resamples : int
        How many resamples there were.
    sizes : Series
        By number of components, in how many resamples it was chosen.
    components : DataFrame
        One row per component of the model: label, weight, weight_low, weight_high, recovered (the
        share of resamples that recover it), jaccard (its mean overlap with the nearest component
        of each resample), name.
    probabilities : DataFrame
        One row per component and category: label, attribute, value (None is the missing one),
        probability, low, high.
    means : DataFrame
        One row per component and numeric attribute: label, attribute, mean, low, high.

    Examples
    --------
    >>> components = pd.DataFrame(
    ...     [[0, 1.0, 0.9, 1.0, 0.95, 0.9, "odor=foul"]],
    ...     columns=[
    ...         "label",
    ...         "weight",
    ...         "weight_low",
    ...         "weight_high",
    ...         "recovered",
    ...         "jaccard",
    ...         "name",
    ...     ],
    ... )
    >>> none = pd.DataFrame()
    >>> stability = Stability(20, pd.Series({1: 19, 2: 1}), components, none, none)
    >>> stability
    Stability(20 resamples, 1 component, recovered in 95% or more)
    >>> print(stability)
    20 resamples: 1 component in 19, 2 components in 1
    component 0: 100.0 % of the records (90.0 to 100.0 %), recovered in 19 of 20: odor=foul
    """

    n_resamples: int
    sizes: pd.Series
    components: pd.DataFrame
    probabilities: pd.DataFrame
    means: pd.DataFrame

    def __repr__(self) -> str:
        recovered = self.components["recovered"]
        least = f"{recovered.min():.0%}" if len(recovered) else "none"
        components = counted(len(recovered), "component")
        return (
            f"Stability({self.n_resamples} resamples, {components}, recovered in {least} or more)"
        )

    def _repr_html_(self) -> str:
        rows = self.components
        columns = [
            Column("cluster", False, rows["label"].tolist()),
            Column("share", False, [f"{weight:.1%}" for weight in rows["weight"]]),
            Column("recovered", False, [f"{share:.0%}" for share in rows["recovered"]]),
            Column("", True, [bar(share) for share in rows["recovered"]]),
            Column("mean overlap", False, [f"{overlap:.2f}" for overlap in rows["jaccard"]]),
            Column("name", True, rows["name"].tolist()),
        ]
        chosen = ", ".join(f"{k} in {count}" for k, count in self.sizes.items())
        return table(f"{self.n_resamples} resamples; clusters chosen: {chosen}", columns)

    def __str__(self) -> str:
        sizes = (
            f"{counted(int(str(k)), 'component')} in {count}" for k, count in self.sizes.items()
        )
        rows = self.components.to_dict("records")
        return "\n".join(
            [f"{self.n_resamples} resamples: {', '.join(sizes)}", *map(self._line, rows)]
        )

    def _line(self, row: dict[Any, Any]) -> str:
        low, high = 100 * row["weight_low"], 100 * row["weight_high"]
        between = "" if math.isnan(low) else f" ({low:.1f} to {high:.1f} %)"
        recovered = round(row["recovered"] * self.n_resamples)
        return (
            f"component {row['label']}: {100 * row['weight']:.1f} % of the records{between}, "
            f"recovered in {recovered} of {self.n_resamples}: {row['name']}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the components as a frame, one row each."""
        return self.components.copy()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON; NaN becomes None."""
        return {
            "n_resamples": self.n_resamples,
            "sizes": [{"k": int(str(k)), "resamples": int(n)} for k, n in self.sizes.items()],
            "components": _plain(self.components),
            "probabilities": _plain(self.probabilities),
            "means": _plain(self.means),
        }


def _plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame; NaN becomes None."""
    return [
        {name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in row}
        for row in map(dict.items, frame.to_dict("records"))
    ]
