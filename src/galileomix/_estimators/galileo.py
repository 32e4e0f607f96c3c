"""The scikit-learn estimator: validate, call, store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import Tags

from galileomix._estimators import parameters
from galileomix._estimators.stored import StoredMixture
from galileomix._fitted import rowwise
from galileomix._fitted.fitting import (
    Centers,
    Units,
    limit,
    most_components,
    random_start,
    reader,
    records_of,
    seed_of,
    step_of,
    teller,
    units_of,
    warn_of_doubts,
)
from galileomix._fitted.results import Path
from galileomix._model.anneal import Pruning
from galileomix._model.criteria import Criterion, CriterionName, best
from galileomix._model.em import Fit, Stop
from galileomix._model.search import Settings, annealing_search, robust_search
from galileomix._passes.records import BlockRecords, layout_of
from galileomix._table import (
    Block,
    Discretize,
    Folder,
    Missing,
    Prepared,
    Rules,
    Unseen,
    binning_of,
    bytes_of,
    open_table,
    prepare,
)
from galileomix.errors import ParameterError

Floats = NDArray[np.float64]


class Galileo(StoredMixture, ClusterMixin, BaseEstimator):
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
        The models themselves are of greatest likelihood, without a prior; only the covariances
        of numbers lean on that of the whole table, by one record at most, so that a few records
        that happen to lie close are not taken for a kind.
    refine : bool, default=True
        The robust search, by splits, merges and swaps. Without it, annealing alone.
    categorical : "auto" or list of column names or positions, default="auto"
        Which columns are categories. By default all but those of floating-point numbers.
    covariance : {"full", "diagonal"}, default="full"
        Whether numbers may depend on one another within a component.
    missing : {"category", "ignore"}, default="category"
        Whether a missing category is one more value, as in the paper, or left out. A missing
        number is always left out.
    missing_values : sequence of str, default=()
        What means that a cell is missing, besides None and NaN, as it is written: ``"?"``, or
        ``"-999"``, which is the number -999 too.
    discretize : None, "quantile", "width", (rule, number) or dict, default=None
        Cut numbers into intervals, which are categories then: of about equal weight, or of equal
        width, five of them or the number given. A dict says it for some columns, by name or
        position, and may give edges: ``{"age": [18, 65], "pay": "width", 2: ("quantile", 3)}``.
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
        Tell how it goes: on stderr, or by calling with a `results.Progress`, and while a table
        is read that does not lie in memory, with a `results.Reading`.
    memory_limit : int or str, optional
        How much memory to take for a table, in bytes or as "500MB"; half of what the machine
        has by default. What does not fit lies in a temporary folder (see TMPDIR) during fit.

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
    n_records_ : float
        The records that were fitted: rows, or the sum of their weights.
    path_ : Path
        Every size that the search kept; see `at`.
    schema_ : Schema
        The attributes and their values.
    never_known_ : list of str
        The numeric columns that are missing in every row.
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
        covariance: Literal["full", "diagonal"] = "full",
        missing: Missing = "category",
        missing_values: Sequence[str] = (),
        discretize: Discretize = None,
        unseen: Unseen = "ignore",
        tol: float = 1e-9,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        progress: bool | Callable[[Any], None] = False,
        memory_limit: int | str | None = None,
    ) -> None:
        self.max_components: int | Literal["auto"] = max_components
        self.criterion: CriterionName = criterion
        self.step_root = step_root
        self.pruning: Pruning = pruning
        self.centers: Centers = centers
        self.prior_strength = prior_strength
        self.refine = refine
        self.categorical: Literal["auto"] | Sequence[str | int] = categorical
        self.covariance: Literal["full", "diagonal"] = covariance
        self.missing: Missing = missing
        self.missing_values = missing_values
        self.discretize: Discretize = discretize
        self.unseen: Unseen = unseen
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress
        self.memory_limit = memory_limit

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
            A pandas, polars or Arrow frame, a numpy array, a list of rows or of dicts; the path
            of a CSV or Parquet file, several of them, a pattern or a directory, a `Csv`, a
            pyarrow dataset, or an iterator of record batches. These need not fit in memory.
        y : ignored
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for.

        Returns
        -------
        Galileo
            The fitted model itself.
        """
        parameters.check(self)
        with Folder() as folder:
            return self._fit(self._prepared(X, sample_weight, folder))

    def _prepared(self, X: Any, sample_weight: Any, folder: Folder) -> Prepared:
        """Return the table in blocks; whatever it was read into goes when this returns."""
        binning = binning_of(self.discretize)
        cut = () if binning is None else tuple(binning.columns)
        source = open_table(X, self.categorical, self.missing_values, numeric=cut)
        named = None if binning is None else binning.by_name(source.names)
        rules = Rules(bytes_of(self.memory_limit), self.missing, named)
        return prepare(source, folder, rules, sample_weight, reader(self.progress))

    def _fit(self, table: Prepared) -> Galileo:
        schema = table.schema
        layout = layout_of(schema, self.covariance == "diagonal")
        records = records_of(table.blocks, layout, min(self.prior_strength, 1.0), self.n_jobs)
        settings = self._settings(records)
        units = units_of(schema, records)
        fits = self._search(records, settings, units)
        self.schema_, self._units = schema, units
        self._store(fits, records, settings)
        self.n_features_in_ = schema.n_attributes
        self._named = table.named
        if table.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._label(table.every())
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
        known = np.diag(records.census.known)
        self.never_known_ = [
            each.name for each, n in zip(self.schema_.numeric, known, strict=True) if n == 0
        ]
        self._mixtures = {fit.k: rowwise.largest_first(fit.mixture) for fit in fits}
        self._fits = {fit.k: (fit.n_iter, fit.converged) for fit in fits}
        steps = tuple(step_of(fit, self._N, self._units) for fit in fits)
        self.path_ = Path(steps, self.criterion, chosen.k)
        self.n_passes_ = records.n_passes
        self._choose(chosen.k)

    def _label(self, blocks: Iterable[Block]) -> None:
        """Label the rows; components that are no row's most probable come last."""
        labels = rowwise.labels(blocks, self._mixture)
        taken = np.bincount(labels, minlength=self.n_components_) > 0
        if not taken.all():
            order = np.argsort(~taken, kind="stable")
            self._mixtures[self.n_components_] = self._mixture.keep(order)
            self._choose(self.n_components_)
            labels = np.argsort(order)[labels]
        self.labels_ = labels

    def __sklearn_tags__(self) -> Tags:
        """Return what scikit-learn may expect: categories and missing values are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
