"""What a fitted `Galileo` answers: each method calls a function of the fitted model and a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from galileomix._estimators import parameters
from galileomix._estimators.by_partition import (
    by_partition,
    imputed_by_partition,
    is_lazy_frame,
)
from galileomix._estimators.judge_methods import JudgeMethods
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._estimators.table_weights import in_memory
from galileomix._fitted import dependence, describe, impute, query, resample, rowwise
from galileomix._fitted.distribution import NumberDistribution
from galileomix._fitted.results import Component
from galileomix._fitted.seeds import IMPUTING, SAMPLING, generator
from galileomix._fitted.stability import Stability
from galileomix._model.criteria import InformationCriterion
from galileomix._model.params import Floats
from galileomix._progress import ProgressOption, shown
from galileomix._table import bytes_of, check_weights, is_spark
from galileomix.errors import ParameterError


def _names_of_components(estimator: Any) -> Sequence[str]:
    """Return what the columns of `predict_proba` are called in a frame."""
    return estimator.get_feature_names_out().tolist()


class ModelMethods(JudgeMethods):
    """The questions that can be put to a fitted model."""

    random_state: int | np.random.RandomState | None
    memory_limit: int | str | None
    progress: ProgressOption

    @by_partition(_names_of_components, np.float64)
    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each component for each row, (n_rows, n_components_)."""
        mixture = model_of(self).mixture
        return new_table(self, X).map(lambda block: rowwise.responsibilities(block, mixture))

    @by_partition("cluster", np.intp)
    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return the most probable component of each row, (n_rows,)."""
        mixture = model_of(self).mixture
        return new_table(self, X).map(lambda block: rowwise.label(block, mixture)).astype(np.intp)

    @by_partition("log_density", np.float64)
    def score_samples(self, X: Any) -> Floats:
        """Return the log density of each row, (n_rows,); minus infinity where it is impossible.

        A row is impossible when it has, under every component, a value that the component never
        held.
        """
        return self._log_densities(X)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the mean log density of the rows, weighted by `sample_weight`."""
        log_likelihood, N = self._log_likelihood(X, sample_weight)
        return log_likelihood / N

    def aic(self, X: Any, sample_weight: Any = None) -> float:
        """Return Akaike's criterion of the model on a table: less is better."""
        return self._information("aic", X, sample_weight)

    def bic(self, X: Any, sample_weight: Any = None) -> float:
        """Return the Bayesian criterion of the model on a table: less is better.

        Give the weights that were given to `fit` to get the value on the path.
        """
        return self._information("bic", X, sample_weight)

    def components(self) -> list[Component]:
        """Return every component with its size, density and what sets it apart.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> [component.name for component in model.components()]
        ['x0=a', 'x0=b']
        """
        return describe.components(model_of(self))

    def profile(self) -> pd.DataFrame:
        """Return a description of each component, a frame with one row each.

        Its columns are label, size, weight, relative_density (how many times as dense it is as
        all records taken for one component), name (the traits that tell it from all others, as
        few as do), typical (its most probable values and means), defining (what sets it apart
        from the other components, with how many times more common it is than there; for a
        number, with the mean over all records) and predictive (the attributes that best predict
        membership, with the share of the uncertainty that each removes). `components` has the
        same as data. `densities_` are the densities as published, which are in units of the
        columns and may be very large or small. ``attrs["search"]`` says how the search went.
        """
        found = describe.profile(self.components())
        found.attrs["search"] = self.search_.in_words()
        return found

    def conditional(
        self, target: str, given: Mapping[str, Any] | None = None
    ) -> pd.Series | NumberDistribution:
        """Return the distribution of one attribute, given the values of others.

        Parameters
        ----------
        target : str
            The name of a column.
        given : mapping of str to value, optional
            What is known, by the names of columns. None is the missing value where it is one
            of the column's values, and otherwise not known.

        Returns
        -------
        Series or NumberDistribution
            The probabilities of all categories, the most probable first; or how a number is
            distributed, by models of several sizes together (see ``predictive``).

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "x"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> model.conditional("x1", given={"x0": "b"}).round(2).to_dict()
        {'x': 0.5, 'y': 0.5}
        """
        return query.conditional(model_of(self), target, {} if given is None else given)

    def sample(
        self, n_samples: int = 1, given: Mapping[str, Any] | None = None
    ) -> tuple[pd.DataFrame, NDArray[np.intp]]:
        """Draw new records from the model.

        Parameters
        ----------
        n_samples : int
        given : mapping of str to value, optional
            What all records have in common, as in `conditional`.

        Returns
        -------
        X : DataFrame
            With the columns and values of the table that was fitted; rare values that share one
            place in the model are missing.
        y : ndarray of shape (n_samples,)
            The component each record was drawn from.
        """
        rng = generator(self.random_state, SAMPLING)
        return query.sample(model_of(self), n_samples, {} if given is None else given, rng)

    @overload
    def impute(self, X: Any) -> pd.DataFrame: ...
    @overload
    def impute(
        self,
        X: Any,
        *,
        return_cells: bool = ...,
        n_draws: int | None = ...,
        resample: bool = ...,
        jointly: bool = ...,
    ) -> Any: ...

    def impute(
        self,
        X: Any,
        *,
        return_cells: bool = False,
        n_draws: int | None = None,
        resample: bool = False,
        jointly: bool = False,
    ) -> Any:
        """Fill the missing cells of a table.

        A category gets its most probable value, a number its mean, given all that is known of the
        record: each cell by itself, which is right most often. Cells that are not missing stay as
        they are, values that fit never saw included. In a column that was cut into intervals a
        missing cell is filled with an interval.

        Parameters
        ----------
        X : table
            As in `fit`.
        return_cells : bool
            Return a second frame with a row for each cell that was filled: row (the index of its
            record), column, value, and its probability or, for a number, its deviation.
        n_draws : int, optional
            Instead return this many tables, whose missing cells are filled by draws: those of a
            record together, from one component. How far the tables differ shows how uncertain
            the values are.
        resample : bool
            With draws: let the model differ too, from table to table, as if other rows had been
            fitted, by fitting it again to rows of X drawn with replacement. Estimates from the
            tables then vary as much as they should (proper multiple imputation, to be pooled by
            Rubin's rules). X is the table that was fitted, or one like it.
        jointly : bool
            Fill all missing cells of a record with what is most probable together: a record that
            could be, where values go together, though single cells are right less often. Not with
            draws, which are of all cells together.

        Returns
        -------
        frame, or (frame, frame), or a list of these
            All columns of a pandas, polars, Arrow, Dask or Spark frame, in the same library and
            with their types; of any other table those that were fitted, in pandas. What is filled
            into a column of whole numbers is rounded.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> model.impute([["b", None]]).to_numpy().tolist()
        [['b', 'y']]
        """
        if jointly and n_draws is not None:
            raise ParameterError("jointly and n_draws: draws are of all missing cells together")
        if resample and n_draws is None:
            raise ParameterError("resample: it is for draws; give n_draws")
        if is_lazy_frame(X):
            if return_cells or n_draws is not None:
                raise ParameterError(
                    "return_cells and n_draws: a frame of Dask or Spark is filled lazily, as one "
                    "frame; give its partitions one by one"
                )
            return imputed_by_partition(self, X, jointly)
        model, table = model_of(self), new_table(self, X)
        if n_draws is None:
            return impute.impute(model, table, return_cells, jointly)
        rng = generator(self.random_state, IMPUTING)
        return impute.impute_by_draws(model, table, return_cells, n_draws, rng, resample)

    def similarity(self, X: Any, Y: Any = None) -> Floats:
        """Return the probability that two records belong to the same component.

        Parameters
        ----------
        X : table of n rows
        Y : table of m rows, optional
            X itself by default.

        Returns
        -------
        ndarray of shape (n, m)
            Between 0 and 1. A record whose component is uncertain is not wholly similar to itself.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> model.similarity([["a", "x"]], table[1:3]).round(6).tolist()
        [[1.0, 0.0]]
        """
        first = np.asarray(self.predict_proba(X))
        return first @ (first if Y is None else np.asarray(self.predict_proba(Y))).T

    def dependence(self) -> pd.DataFrame:
        """Return which attributes carry the same information under the model.

        Returns
        -------
        DataFrame
            A row for each pair of attributes, the most dependent first: ``first``, ``second``,
            ``information`` (mutual information, in nats) and ``share``: 1 where one determines
            the other, 0 where they are independent. With a category it is the share of the lesser
            entropy; for two numbers it is ``1 - exp(-2 information)``, the square of a
            correlation. Information that involves numbers is computed by quadrature, to some two
            digits, unless there is one component.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> Galileo(random_state=0).fit(table).dependence().round(4).to_dict("records")
        [{'first': 'x0', 'second': 'x1', 'information': 0.6931, 'share': 1.0}]
        """
        return dependence.dependence(model_of(self))

    def stability(self, X: Any, n_resamples: int = 20, sample_weight: Any = None) -> Stability:
        """Return how often each component is recovered from resampled rows.

        As many records as the table has are drawn from it, with replacement, and a model with the
        same parameters is fitted to them, which chooses its own number of components. All rows are
        then labelled by both models. A component is recovered where one of the new model shares
        with it more than half of the rows that are in either of the two (Jaccard's overlap, by
        weight); no more than one can. A component that few resamples recover may be an accident
        of these rows.

        Between ``low`` and ``high`` lie 95 % of the values of the resamples that recover the
        component (percentile bootstrap). Twenty resamples are enough to see what is recovered;
        for intervals to be quoted take 200 or more. They hold the truth less often than 95 times
        in 100, above all for rare values: one that a component never has stays at zero in every
        resample. Resamples repeat records, which look like clusters of their own, so they may
        choose more components than the model has, above all by AIC.

        Parameters
        ----------
        X : table
            The table that was fitted, in any form that `fit` takes. It is read once.
        n_resamples : int, default=20
            How many times to draw and fit; each takes about as long as `fit`.
        sample_weight : array of shape (n_rows,), optional
            As it was given to `fit`.

        Returns
        -------
        Stability
            Its ``components`` have the share of resamples in which each was ``recovered``, and
            intervals on the weights; ``probabilities`` and ``means`` have those on the
            distributions; ``sizes`` counts how often each number of components was chosen. The
            same for the same ``random_state``, whatever ``n_jobs``.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> print(model.stability(table))
        20 resamples: 2 components in 20
        component 0: 50.0 % of the records (38.3 to 59.5 %), recovered in 20 of 20: x0=a
        component 1: 50.0 % of the records (40.5 to 61.7 %), recovered in 20 of 20: x0=b
        """
        model = model_of(self)
        parameters.check(self)
        table, memory = new_table(self, X), bytes_of(self.memory_limit)
        with shown(self.progress) as report:
            settings = parameters.fit_settings(self, report)
            return resample.stability(model, settings, table, n_resamples, sample_weight, memory)

    def _log_likelihood(self, X: Any, sample_weight: Any) -> tuple[float, float]:
        """Return the log-likelihood of a table, and how many records its rows stand for."""
        # Rows of a Spark frame have their order here, and answers to it stand beside them.
        scores = self._log_densities(X) if is_spark(X) else np.asarray(self.score_samples(X))
        if sample_weight is None:
            return float(scores.sum()), float(len(scores))
        weights = check_weights(in_memory(sample_weight, X), len(scores))
        counted = weights > 0  # a row of weight zero may well be impossible
        return float(weights[counted] @ scores[counted]), float(weights.sum())

    def _log_densities(self, X: Any) -> Floats:
        """Return the log density of each row; in this process, whatever the table."""
        mixture, schema = model_of(self).mixture, model_of(self).schema
        return new_table(self, X).map(lambda block: rowwise.log_density(block, mixture, schema))

    def _information(self, name: Literal["aic", "bic"], X: Any, sample_weight: Any) -> float:
        log_likelihood, N = self._log_likelihood(X, sample_weight)
        mixture = model_of(self).mixture
        nu = mixture.layout.degrees_of_freedom(mixture.k)
        return InformationCriterion(name, N).information(nu, log_likelihood)


def assignments(estimator: ModelMethods, X: Any) -> Floats:
    """Return each row's component, its probability and the log density, (n, 3), in one pass."""
    model = model_of(estimator)
    table = new_table(estimator, X)
    return table.map(lambda block: rowwise.assignments(block, model.mixture, model.schema))
