"""Plots as methods of a fitted `Galileo`; each calls the function of `galileomix.plots`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from galileomix import plots
from galileomix._checks import check_share
from galileomix._estimators.model_methods import ModelMethods
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._fitted.evidence import yardstick_of, yardstick_of_fitted
from galileomix._fitted.fitted_table import is_fitted_table
from galileomix._table import refuse_once

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PlotMethods(ModelMethods):
    """What there is to see of a fitted model; matplotlib draws it (the extra ``plot``)."""

    def plot_path(self, *, ax: Axes | None = None) -> Axes:
        """Draw AIC, BIC and the density against the number of clusters; see `plots.path`."""
        return plots.path(self, ax=ax)

    def plot_profile(self, *, most: int = 24, ax: Axes | None = None) -> Axes:
        """Draw what is unusual about each cluster, a map; see `plots.profile`."""
        return plots.profile(self, most=most, ax=ax)

    def plot_sizes(self, *, most: int = 30, ax: Axes | None = None) -> Axes:
        """Draw how large and how dense the clusters are; see `plots.sizes`."""
        return plots.sizes(self, most=most, ax=ax)

    def plot_cluster(self, i: int, *, most: int = 6, ax: Axes | None = None) -> Axes:
        """Draw the distributions of a cluster beside those of all records; see `plots.cluster`."""
        return plots.cluster(self, i, most=most, ax=ax)

    def plot_attribute(self, name: str, *, most: int = 30, ax: Axes | None = None) -> Axes:
        """Draw how one attribute is distributed in each cluster; see `plots.attribute`."""
        return plots.attribute(self, name, most=most, ax=ax)

    def plot_attributes(self, *, most: int = 30, ax: Axes | None = None) -> Axes:
        """Draw how much each attribute tells of the clusters; see `plots.attributes`."""
        return plots.attributes(self, most=most, ax=ax)

    def plot_certainty(self, X: Any, *, most: int = 30, ax: Axes | None = None) -> Axes:
        """Draw how surely records belong to their clusters; see `plots.certainty`."""
        return plots.certainty(self, X, most=most, ax=ax)

    def plot_dependence(self, *, most: int = 30, ax: Axes | None = None) -> Axes:
        """Draw which attributes depend on each other; see `plots.dependence`."""
        return plots.dependence(self, most=most, ax=ax)

    def plot_search(self, *, ax: Axes | None = None) -> Axes:
        """Draw how the search came to its model, pass by pass; see `plots.search`."""
        return plots.search(self, ax=ax)

    def plot_surprise(self, X: Any, *, fdr: float = 0.05, ax: Axes | None = None) -> Axes:
        """Draw how surprising the records of a table are, the anomalies marked.

        They are judged by all that `GalileoDetector` looks at. Records of the table that was fitted
        are judged as if they had been left out of the model, beside each other, as a detector and
        the report do; those of another table as new ones, beside what the model itself draws.

        Parameters
        ----------
        X : table
            As in `fit`, but for iterators: it is read more than once.
        fdr : float, default=0.05
            The share of false ones among the anomalies, above 0 and at most 0.5.
        ax : matplotlib Axes, optional
            Where to draw; new axes by default.
        """
        check_share("fdr", fdr)
        refuse_once(X)
        model, table = model_of(self), new_table(self, X)
        if fitted := is_fitted_table(model, table):
            usual = yardstick_of_fitted(model, table, np.ones(round(model.N)))
        else:
            usual = yardstick_of(model)
        scores = np.concatenate([piece.scores for piece in usual.scored(model, table, fitted)])
        limit = usual.limit(scores, np.ones(len(scores)), fdr)
        return plots.surprise(scores, limit, ax=ax)

    def plot_stability(
        self,
        X: Any,
        n_resamples: int = 20,
        sample_weight: Any = None,
        *,
        most: int = 30,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw how often resampled rows recover each cluster.

        It calls `stability`, which fits the model so many times, and then `plots.stability`; to
        have the figures too, call these two.
        """
        return plots.stability(self.stability(X, n_resamples, sample_weight), most=most, ax=ax)
