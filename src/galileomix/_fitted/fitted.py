"""What a fitted model answers: to which component rows belong, how likely they are, and why."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from galileomix._checks import check_integer
from galileomix._fitted import describe, resample, rowwise
from galileomix._fitted.fitting import Units
from galileomix._fitted.results import Component, Path
from galileomix._fitted.stability import Stability
from galileomix._model.criteria import Criterion, CriterionName
from galileomix._model.density import log_density
from galileomix._model.params import Mixture
from galileomix._model.stats import Background
from galileomix._table import (
    Block,
    Schema,
    Source,
    Unseen,
    align,
    check_weights,
    open_table,
    over_rows,
)
from galileomix.errors import ParameterError

Floats = NDArray[np.float64]


class FittedMixture:
    """A mixture, the schema of its table, and the questions that can be put to it.

    The estimator that fits it sets the parameters and these attributes.
    """

    missing_values: Sequence[str]
    unseen: Unseen
    random_state: int | np.random.RandomState | None
    schema_: Schema
    path_: Path
    never_known_: Sequence[str] = ()
    _N: float
    _named: bool
    _units: Units
    _background: Background
    _mixture: Mixture
    _mixtures: dict[int, Mixture]
    _fits: dict[int, tuple[int, bool]]

    @property
    def n_records_(self) -> float:
        """The records that were fitted: rows, or the sum of their weights."""
        return self._N

    def _choose(self, k: int) -> None:
        self._mixture = self._mixtures[k]
        self.n_components_ = k
        self.weights_ = self._mixture.alpha.copy()
        self.densities_ = self._units.density(log_density(self._mixture, self._N))
        self.n_iter_, self.converged_ = self._fits[k]

    def at(self, k: int) -> Self:
        """Return the model of another size on the path, without fitting again.

        Parameters
        ----------
        k : int
            One of ``path_.sizes``.

        Returns
        -------
        Self
            A fitted model. It has no ``labels_``: predict the table to get them.
        """
        check_is_fitted(self)
        check_integer("k", k, 1)
        if k not in self._mixtures:
            sizes = ", ".join(map(str, self.path_.sizes))
            raise ParameterError(f"no model of {k} components on the path; there are {sizes}")
        other = copy.copy(self)
        other._choose(k)
        if k != self.n_components_:
            other.__dict__.pop("labels_", None)
        return other

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of each component for each row, (n_rows, n_components_)."""
        return self._each(X, lambda block: rowwise.responsibilities(block, self._mixture))

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return the most probable component of each row, (n_rows,)."""
        return self._each(X, lambda block: rowwise.label(block, self._mixture)).astype(np.intp)

    def score_samples(self, X: Any) -> Floats:
        """Return the log density of each row, (n_rows,); minus infinity where it is impossible.

        A row is impossible when it has, under every component, a value that the component never
        held.
        """
        check_is_fitted(self)
        log_scale = np.log([each.scale for each in self.schema_.numeric])
        return self._each(X, lambda block: rowwise.log_density(block, self._mixture, log_scale))

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the mean log density of the rows, each counted as often as its weight says."""
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

    def _information(self, name: CriterionName, X: Any, sample_weight: Any) -> float:
        log_likelihood, N = self._log_likelihood(X, sample_weight)
        nu = self._mixture.layout.degrees_of_freedom(self._mixture.k)
        return Criterion(name, N).information(nu, log_likelihood)

    def _log_likelihood(self, X: Any, sample_weight: Any) -> tuple[float, float]:
        """Return the log-likelihood of a table, and how many records its rows stand for."""
        scores = self.score_samples(X)
        if sample_weight is None:
            return float(scores.sum()), float(len(scores))
        weights = check_weights(sample_weight, len(scores))
        counted = weights > 0  # a row of no weight may well be impossible
        return float(weights[counted] @ scores[counted]), float(weights.sum())

    def components(self) -> list[Component]:
        """Return every component with its size, density and what sets it apart.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> [each.name for each in Galileo(random_state=0).fit(table).components()]
        ['x0=a, x1=x', 'x0=b, x1=y']
        """
        check_is_fitted(self)
        return describe.components(
            self._mixture, self._background, self.schema_, self._N, self.densities_
        )

    def profile(self) -> pd.DataFrame:
        """Return what makes each component, a frame with one row each.

        Its columns are label, size, weight, density, name (what defines it, in one line), typical
        (its most probable values and means), defining (what is common in it and rare elsewhere,
        with how many times more common it is) and predictive (the attributes that best tell who
        is of it, with the share of what there is to be known). `components` has the same as data.
        """
        return describe.profile(self.components())

    def stability(self, X: Any, n_resamples: int = 20, sample_weight: Any = None) -> Stability:
        """Return how sure the components are: how often they are found again in resampled rows.

        As many records as the table has are drawn from it, with replacement, and a model of the
        same parameters is fitted to them, which chooses its number of components by itself. All
        rows are then labelled by both models. A component is found again where one of the new
        model shares with it more than half of the rows that are in either of the two (Jaccard's
        overlap, by weight); no more than one can. What is found in few resamples may be an
        accident of these rows. What is found in nearly all is more than that, though one that
        holds most of the table is found easily.

        Between ``low`` and ``high`` lie 95 % of the values of the resamples in which the component
        was found (percentile bootstrap). Twenty resamples are enough to see what is found again;
        for intervals to be quoted take 200 or more. They hold the truth less often than 95 times
        in 100, above all for rare values: one that a component never has stays at zero in every
        resample, so its interval has no width. And intervals tell how much the rows happened to
        be these, not whether the model is right. A record that is drawn twice looks
        like a kind of its own, so resamples may choose more components than the model has, above
        all by AIC.

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
            Its ``components`` have the share of resamples in which each was ``found``, and
            intervals on the weights; ``probabilities`` and ``means`` have those on what makes the
            components; ``sizes`` says how often each number of components was chosen. The same
            for the same ``random_state``, whatever ``n_jobs``.

        Raises
        ------
        NotFittedError
        ParameterError
            Where ``n_resamples`` is no integer of at least 2.
        TableError
            Where the table does not have the columns that were fitted.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> print(model.stability(table))
        20 resamples: 2 components in 20
        component 0: 50.0 % of the records (38.3 to 59.5 %), found in 20 of 20: x0=a, x1=x
        component 1: 50.0 % of the records (40.5 to 61.7 %), found in 20 of 20: x0=b, x1=y
        """
        return resample.stability(self, X, n_resamples, sample_weight)

    def _each(self, X: Any, f: Callable[[Block], NDArray[Any]]) -> NDArray[Any]:
        """Return what f makes of the rows of a table, a block at a time."""
        return over_rows(self._aligned(X), self.schema_, f, self.unseen)

    def _aligned(self, X: Any) -> Source:
        """Return a table with its columns in the order of those that were fitted."""
        check_is_fitted(self)
        wanted = self.schema_.names if self._named else ()
        source = open_table(X, missing_values=self.missing_values, wanted=wanted)
        return align(source, self.schema_, named=self._named, estimator=type(self).__name__)
