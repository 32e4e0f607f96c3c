"""The scikit-learn estimator: validate, call, store."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from galileomix import describe, parameters
from galileomix.errors import ParameterError
from galileomix.fitting import (
    SAMPLING,
    Centers,
    Units,
    limit,
    most_components,
    random_start,
    records_of,
    seed_of,
    step_of,
    teller,
    units_of,
    warn_of_doubts,
)
from galileomix.kernels import cpu
from galileomix.model.anneal import Pruning
from galileomix.model.choose import Criterion, CriterionName, best
from galileomix.model.density import log_density
from galileomix.model.em import Fit, Stop
from galileomix.model.infer import sample
from galileomix.model.params import Mixture
from galileomix.model.search import Settings, annealing_search, robust_search
from galileomix.records import BlockRecords, impossible
from galileomix.results import Component, Path, Progress
from galileomix.table import (
    Block,
    align,
    check_weights,
    decode,
    encode,
    infer_schema,
    read,
)
from galileomix.table.encode import Unseen
from galileomix.table.schema import Missing

Floats = NDArray[np.float64]


class Galileo(ClusterMixin, BaseEstimator):
    """Find the kinds of records in a table, and how many there are.

    A mixture of simple components: each has one distribution per attribute, and a record is
    explained by the components it fits. The search keeps the best model it meets of every number
    of components, as far as more may pay; the criterion chooses among them.

    Parameters
    ----------
    max_components : int or "auto", default="auto"
        The most components to consider, k_max in the paper; found by itself by default.
    criterion : {"bic", "aic", "density"}, default="bic"
        What chooses the number of components. Density is the paper's own; where rows repeat it
        prefers ever more components.
    step_root : float, default=1.0
        beta of the annealing schedule: 1 visits every size, more leaves sizes out.
    pruning : {"entropy", "cartesian"}, default="entropy"
        The density by which annealing removes components.
    centers : {"records", "marginals"}, default="records"
        Where the random centres of the start come from: whole records, or each attribute by
        itself.
    prior_strength : float, default=2.0
        How many records' worth of the global distribution a component is given while annealing.
        The models themselves are of greatest likelihood, without a prior; only the variances of
        numbers lean on those of the whole table by one record, so that none collapses.
    refine : bool, default=True
        The robust search, by splits, merges and swaps. Without it, annealing alone.
    categorical : "auto" or list of column names or positions, default="auto"
        Which columns are categories. By default all but those of floating-point numbers.
    missing : {"category", "ignore"}, default="category"
        Whether a missing category is one more value, as in the paper, or left out. A missing
        number is always left out.
    unseen : {"ignore", "error"}, default="ignore"
        What to do with a category that fit never saw: leave it out and warn, or raise.
    tol : float, default=1e-9
        EM stops when a step gains less than this share of the objective.
    max_iter : int, default=1000
        The most steps of one run of EM.
    n_jobs : int, optional
        Threads, as in scikit-learn. The result is the same for any number.
    random_state : int, RandomState or None, default=None
        Seeds the random centres.
    progress : bool or callable, default=False
        Tell how the search goes: on stderr, or by calling with a `results.Progress`.

    Attributes
    ----------
    n_components_ : int
        The number of components found; ``weights_``, ``densities_`` and the columns of
        ``predict_proba`` have this length, the largest component first. (One that is no row's
        most probable component comes last, so that labels are consecutive.)
    weights_ : ndarray of shape (n_components_,)
    densities_ : ndarray of shape (n_components_,)
        The entropy-based density of each component.
    labels_ : ndarray of shape (n_rows,)
        The most probable component of each row of the table that was fitted.
    path_ : Path
        Every size that the search kept; see `at`.
    schema_ : Schema
        The attributes and their values.
    n_features_in_, feature_names_in_
        As in scikit-learn.
    converged_ : bool
    n_iter_ : int
        The steps of the run of EM that ended in the model.
    n_passes_ : int
        The passes over the data that the whole search took.

    Examples
    --------
    >>> from galileomix import Galileo
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> model = Galileo(random_state=0).fit(table)
    >>> model.n_components_, model.predict([["a", "x"], ["b", "y"]]).tolist()
    (2, [0, 1])
    """

    def __init__(
        self,
        max_components: int | Literal["auto"] = "auto",
        *,
        criterion: CriterionName = "bic",
        step_root: float = 1.0,
        pruning: Pruning = "entropy",
        centers: Centers = "records",
        prior_strength: float = 2.0,
        refine: bool = True,
        categorical: Literal["auto"] | Sequence[str | int] = "auto",
        missing: Missing = "category",
        unseen: Unseen = "ignore",
        tol: float = 1e-9,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        progress: bool | Callable[[Progress], None] = False,
    ) -> None:
        self.max_components: int | Literal["auto"] = max_components
        self.criterion: CriterionName = criterion
        self.step_root = step_root
        self.pruning: Pruning = pruning
        self.centers: Centers = centers
        self.prior_strength = prior_strength
        self.refine = refine
        self.categorical: Literal["auto"] | Sequence[str | int] = categorical
        self.missing: Missing = missing
        self.unseen: Unseen = unseen
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress

    @classmethod
    def as_published(cls, max_components: int, **parameters: Any) -> Galileo:
        """Return the method of the paper to the letter: annealing alone, by plain EM.

        Parameters
        ----------
        max_components : int
            k_max; the paper advises twice the number of components expected.
        **parameters
            Any other parameter but ``refine`` and ``prior_strength``; ``centers`` is
            "marginals" unless given.

        Examples
        --------
        >>> Galileo.as_published(40, criterion="density").refine
        False
        """
        fixed = {"refine", "prior_strength"} & set(parameters)
        if fixed:
            raise ParameterError(f"{', '.join(sorted(fixed))}: no choice in the published method")
        given: dict[str, Any] = {"centers": "marginals"} | parameters
        return cls(max_components, refine=False, prior_strength=0.0, **given)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Galileo:
        """Find the components of a table.

        Parameters
        ----------
        X : table
            A pandas, polars or Arrow frame, a numpy array, a list of rows or of dicts, or the
            path of a CSV or Parquet file.
        y : ignored
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for.

        Returns
        -------
        Galileo
            The fitted model itself.
        """
        parameters.check(self)
        columns = read(X, self.categorical)
        weights = check_weights(sample_weight, columns.n_rows)
        schema = infer_schema(columns, weights, self.missing, stacklevel=3)
        blocks = encode(columns, schema, weights, keep_zero_weight=False)
        records = records_of(blocks, schema, self.n_jobs)
        settings = self._settings(records)
        units = units_of(schema, records)
        fits = self._search(records, settings, units)
        self.schema_, self._units = schema, units
        self._store(fits, records, settings)
        self.n_features_in_ = schema.n_attributes
        self._named = columns.named
        if columns.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        every = blocks if np.all(weights > 0) else encode(columns, schema, weights)
        self._label(every)
        return self

    def _settings(self, records: BlockRecords) -> Settings:
        return Settings(
            Criterion(self.criterion, records.N),
            most_components(self.max_components, records),
            limit(self.criterion, records),
            self.step_root,
            self.pruning,
            self.prior_strength,
            Stop(self.tol, self.max_iter),
        )

    def _search(self, records: BlockRecords, settings: Settings, units: Units) -> list[Fit]:
        start = random_start(records, self.centers, seed_of(self.random_state))
        notify = teller(self.progress, records, settings.criterion, units)
        search = robust_search if self.refine else annealing_search
        return search(records, start, settings, notify)

    def _store(self, fits: list[Fit], records: BlockRecords, settings: Settings) -> None:
        """Keep the path, largest components first, and choose the best model on it."""
        chosen = best(fits, settings.criterion)
        warn_of_doubts(chosen, settings, records)
        self._N = records.N
        self._background = records.background
        self._mixtures = {fit.k: _largest_first(fit.mixture) for fit in fits}
        self._fits = {fit.k: (fit.n_iter, fit.converged) for fit in fits}
        steps = tuple(step_of(fit, self._N, self._units) for fit in fits)
        self.path_ = Path(steps, self.criterion, chosen.k)
        self.n_passes_ = records.n_passes
        self._choose(chosen.k)

    def _choose(self, k: int) -> None:
        self._mixture = self._mixtures[k]
        self.n_components_ = k
        self.weights_ = self._mixture.alpha.copy()
        self.densities_ = self._units.density(log_density(self._mixture, self._N))
        self.n_iter_, self.converged_ = self._fits[k]

    def _label(self, blocks: list[Block]) -> None:
        """Label the rows; components that are no row's most probable come last."""
        labels = _labels(blocks, self._mixture)
        taken = np.isin(np.arange(self.n_components_), labels)
        if not taken.all():
            order = np.argsort(~taken, kind="stable")
            self._mixtures[self.n_components_] = self._mixture.keep(order)
            self._choose(self.n_components_)
            labels = np.argsort(order)[labels]
        self.labels_ = labels

    def at(self, k: int) -> Galileo:
        """Return the model of another size on the path, without fitting again.

        Parameters
        ----------
        k : int
            One of ``path_.sizes``.

        Returns
        -------
        Galileo
            A fitted model. It has no ``labels_``: predict the table to get them.
        """
        check_is_fitted(self)
        parameters.check_at_least("k", k, 1)
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
        joint = np.concatenate([cpu.log_joint(block, self._mixture) for block in self._blocks(X)])
        total = np.asarray(logsumexp(joint, axis=1, keepdims=True))
        return np.exp(joint - total)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """Return the most probable component of each row, (n_rows,)."""
        return _labels(self._blocks(X), self._mixture)

    def score_samples(self, X: Any) -> Floats:
        """Return the log density of each row, (n_rows,); minus infinity where it is impossible.

        A row is impossible when it has, under every component, a value that the component never
        held.
        """
        blocks = self._blocks(X)
        log_scale = np.log([each.scale for each in self.schema_.numeric])
        return np.concatenate([_log_density(block, self._mixture, log_scale) for block in blocks])

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log density of the rows."""
        return float(self.score_samples(X).mean())

    def aic(self, X: Any) -> float:
        """Return Akaike's criterion of the model on a table: less is better."""
        return self._information("aic", X)

    def bic(self, X: Any) -> float:
        """Return the Bayesian criterion of the model on a table: less is better."""
        return self._information("bic", X)

    def _information(self, name: CriterionName, X: Any) -> float:
        scores = self.score_samples(X)
        nu = self._mixture.layout.degrees_of_freedom(self._mixture.k)
        return Criterion(name, len(scores)).information(nu, float(scores.sum()))

    def sample(self, n_samples: int = 1) -> tuple[pd.DataFrame, NDArray[np.intp]]:
        """Draw new records from the model.

        Returns
        -------
        X : DataFrame
            With the columns and values of the table that was fitted.
        y : ndarray of shape (n_samples,)
            The component each record was drawn from.
        """
        check_is_fitted(self)
        parameters.check_at_least("n_samples", n_samples, 1)
        rng = np.random.default_rng((seed_of(self.random_state), SAMPLING))
        codes, numbers, component = sample(self._mixture, int(n_samples), rng)
        return pd.DataFrame(decode(codes, numbers, self.schema_)), component

    def components(self) -> list[Component]:
        """Return every component with its size, density and what sets it apart.

        Examples
        --------
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> [each.name for each in Galileo(random_state=0).fit(table).components()]
        ['x0=a, x1=x', 'x0=b, x1=y']
        """
        check_is_fitted(self)
        return describe.components(
            self._mixture, self._background, self.schema_, self._N, self.densities_
        )

    def profile(self) -> pd.DataFrame:
        """Return what makes each component, one row each: label, size, weight, density, name."""
        return describe.profile(self.components())

    def _blocks(self, X: Any) -> list[Block]:
        check_is_fitted(self)
        columns = align(read(X), self.schema_, named=self._named, estimator=type(self).__name__)
        return encode(columns, self.schema_, unseen=self.unseen, stacklevel=4)

    def __sklearn_tags__(self) -> Tags:
        """Return what scikit-learn may expect: categories and missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags


def _labels(blocks: list[Block], mixture: Mixture) -> NDArray[np.intp]:
    return np.concatenate([cpu.log_joint(block, mixture).argmax(axis=1) for block in blocks])


def _largest_first(mixture: Mixture) -> Mixture:
    return mixture.keep(np.argsort(-mixture.alpha, kind="stable"))


def _log_density(block: Block, mixture: Mixture, log_scale: Floats) -> Floats:
    """Return the log density of each row of a block, in the user's units."""
    scores = np.asarray(logsumexp(cpu.log_joint(block, mixture), axis=1))
    scores[impossible(block, mixture)] = -np.inf
    return scores - (~np.isnan(block.numbers)) @ log_scale
