"""The scikit-learn estimator: validate, call, store."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin

from galileomix._estimators import parameters
from galileomix._estimators.checkpoints import checkpointed, forget
from galileomix._estimators.engine_choice import (
    EngineChoice,
    SharedClient,
    cluster_for,
    is_cluster,
    is_session,
)
from galileomix._estimators.notebook_methods import NotebookMethods
from galileomix._estimators.report_method import ReportMethod
from galileomix._estimators.saving import FilePath, SavedMethods
from galileomix._estimators.table_input import TableInput, model_of, remember_features
from galileomix._estimators.transform_methods import TransformMethods
from galileomix._fitted.fit import Centers, Covariance, fit_model
from galileomix._fitted.fitted_model import FittedModel
from galileomix._model.anneal import Pruning
from galileomix._model.criteria import CriterionName
from galileomix._progress import ProgressOption, Report, shown
from galileomix._storage import SavedModel
from galileomix._table import (
    CategoricalChoice,
    Discretize,
    Folder,
    Missing,
    NumericChoice,
    OrderedChoice,
    Unseen,
    is_dask,
    is_spark,
)
from galileomix._warn import warn
from galileomix.errors import GalileoWarning, ModelFileError, ParameterError


class Galileo(
    NotebookMethods,
    TransformMethods,
    ReportMethod,
    SavedMethods,
    TableInput,
    SharedClient,
    ClusterMixin,
    BaseEstimator,
):
    """Find the clusters of a table, and how many there are.

    The model is a mixture of components. Each component has one distribution per attribute. The
    search keeps the best model of every number of components that it meets; the criterion chooses
    among them.

    Parameters
    ----------
    max_components : int or "auto", default="auto"
        The most components to consider, k_max in the paper; chosen automatically by default.
    n_components : int or "auto", default="auto"
        The number of components. By default the criterion chooses it; if given, the search looks
        for the best model of this number, and the path holds the sizes met on the way.
    criterion : {"bic", "aic", "density"}, default="bic"
        What chooses the number of components. BIC finds the clusters that stand out, AIC finds
        more and finer ones. Density is the criterion of the paper; where rows repeat it prefers
        ever more components.
    step_root : float, default=1.0
        beta of the annealing schedule: 1 visits every size, a larger one skips sizes.
    pruning : {"entropy", "cartesian"}, default="entropy"
        The density by which annealing removes components.
    centers : {"records", "marginals"}, default="records"
        How random centres are drawn for the start: whole records, or one attribute at a time.
    prior_strength : float, default=2.0
        How many records of the global distribution each component is given while annealing. The
        models themselves maximise the likelihood, without a prior; only the covariances of
        numbers are shrunk towards that of the whole table, by one record at most, so that a few
        records that happen to lie close are not taken for a cluster.
    refine : bool, default=True
        Search for the best model by growth and kicks; if False, by annealing alone, as the paper
        does. ``step_root``, ``pruning`` and ``centers`` are for annealing.
    effort : float, default=1.0
        How long the search goes on without finding a better model, at most 1e6. More takes
        longer, and never ends worse with the same seed.
    time_limit : float, optional
        Seconds after which the search ends with the best model it has, and a warning.
    categorical : "auto", "all" or list of column names or positions, default="auto"
        The columns that are categories, whatever they look like. What is not named here, or in
        the next three, is decided by its cells; ``schema_.columns`` says what and why. "all" is
        for every column that is not named elsewhere.
    numeric : list of column names or positions, or "all", default=()
        The columns that are numbers.
    ordered : list of column names or positions, or dict, default=()
        The columns whose categories have an order. A dict gives the order of each, from the
        lowest value to the highest; whole numbers and ordered categoricals of pandas have one.
    drop : list of column names or positions, default=()
        The columns that are left out of the model.
    covariance : {"auto", "full", "diagonal"}, default="auto"
        Whether numbers may be correlated within a component ("full") or are independent
        ("diagonal"). By default they may, unless a covariance has more parameters than there are
        records: then the criterion chooses.
    predictive : {"stack", "chosen"}, default="stack"
        What judges and fills records (`explain`, `impute`, `conditional`): the models of several
        sizes together, weighted by how well each predicts records that it has not seen, or the
        chosen one alone. The clusters are always those of the chosen one, and what
        ``n_components`` and ``max_components`` say is about them alone. It counts from `fit` on.
    missing : {"category", "ignore"}, default="category"
        Whether a missing category is one more value, as in the paper, or is ignored. A missing
        number is always ignored.
    missing_values : sequence of str, default=()
        Further text that means a missing value, such as ``"unknown"``, or ``"-999"``, which is
        the number -999 too.
    default_missing : bool, default=True
        Whether the usual spellings mean missing in text: an empty cell, ``NA``, ``N/A``,
        ``NULL``, ``NaN``, ``None``, and ``?``, ``.`` and ``-`` where they cannot be values.
    discretize : None, "quantile", "width", (rule, number) or dict, default=None
        Cut numbers into intervals, which are then categories: of about equal weight, or of equal
        width, five of them or the number given. A dict does so for some columns, by name or
        position, and may give edges: ``{"age": [18, 65], "pay": "width", 2: ("quantile", 3)}``.
    transform_numbers : {"auto", "none"}, default="auto"
        Whether skewed numbers are modelled on another scale, such as their logarithms, and a
        number that very many rows hold, such as zero, as a category of its own. Results are
        always in the units of the table.
    unseen : {"ignore", "error"}, default="ignore"
        What to do with a category that fit never saw, or with a word among numbers: ignore it with
        a warning, or raise.
    tol : float, default=1e-9
        EM stops when a step gains less than this share of the objective.
    max_iter : int, default=1000
        The most steps of one run of EM.
    n_jobs : int, optional
        Number of threads, as in scikit-learn. The result is the same for any number.
    random_state : int, RandomState or None, default=None
        Seeds what is drawn at random.
    progress : bool or callable, default=False
        Show progress, with an estimate of the time left: a line on a terminal, a bar in a
        notebook, elsewhere a line on stderr now and then. Or a function that is called with a
        `Progress` a few times a second; if it returns False, the search ends with the best model
        it has. It is for `fit` and `stability`, and for `fit` of meta-estimators.
    memory_limit : int or str, optional
        Memory for the table, in bytes or as "500MB"; by default half of what there is. What does
        not fit is in a temporary folder (see TMPDIR) during fit.
    engine : {"auto", "local", "dask", "spark"}, Client or SparkSession, default="auto"
        Where the table is fitted: in this process ("local"), or on the cluster of a Dask client or
        a Spark session, or of those in force ("dask", "spark"). By default Dask's own tables are
        fitted on the cluster of the client in force, if there is one, Spark's frames on their
        own, and all others here. The result is the same.
    checkpoint : str or path-like, optional
        A directory in which `fit` keeps its steps. If it is killed, the same call goes on from
        the last one, to the same model. When a fit ends its steps are removed; those of another
        fit are refused. See docs/engines.md.

    Attributes
    ----------
    n_components_ : int
        The number of components; ``weights_``, ``densities_`` and the columns of ``predict_proba``
        have this length, the largest component first. (One that is no row's most probable
        component comes last, so that labels are consecutive.)
    weights_ : ndarray of shape (n_components_,)
    densities_ : ndarray of shape (n_components_,)
        The entropy-based density of each component.
    labels_ : ndarray of shape (n_rows,)
        The most probable component of each row of the table that was fitted; of a Dask or Spark
        table as `predict` returns it, and not pickled.
    n_records_ : float
        The records that were fitted: rows, or the sum of their weights.
    path_ : Path
        How the model of every size scores; see `at`.
    schema_ : Schema
        The attributes and their values.
    covariance_ : {"full", "diagonal"}
        The covariances of the components.
    never_known_ : list of str
        The numeric columns that are missing in every row.
    n_features_in_, feature_names_in_
        As in scikit-learn.
    converged_ : bool
    n_iter_ : int
        The steps of the run of EM that ended in the model.
    n_passes_ : int
        The passes over the data that the whole search took; those over a sample of the rows
        count by its share of them.
    search_ : SearchRecord
        How the search went: passes, seconds, kicks, how many of them returned to the best model
        and how many were in vain since it was found, and the chance that there is a better one.
    predictive_weights_ : dict
        How much each size counts in what is predicted, by number of components.

    Examples
    --------
    >>> from galileomix import Galileo
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> model = Galileo(random_state=0).fit(table)
    >>> model.n_components_, model.predict([["a", "x"], ["b", "y"]]).tolist()
    (2, [0, 1])
    """

    _model: FittedModel

    def __init__(
        self,
        max_components: int | Literal["auto"] = "auto",
        *,
        n_components: int | Literal["auto"] = "auto",
        criterion: CriterionName = "bic",
        step_root: float = 1.0,
        pruning: Pruning = "entropy",
        centers: Centers = "records",
        prior_strength: float = 2.0,
        refine: bool = True,
        effort: float = 1.0,
        time_limit: float | None = None,
        categorical: CategoricalChoice = "auto",
        numeric: NumericChoice = (),
        ordered: OrderedChoice = (),
        drop: Sequence[str | int] = (),
        covariance: Covariance = "auto",
        predictive: Literal["stack", "chosen"] = "stack",
        missing: Missing = "category",
        missing_values: Sequence[str] = (),
        default_missing: bool = True,
        discretize: Discretize = None,
        transform_numbers: Literal["auto", "none"] = "auto",
        unseen: Unseen = "ignore",
        tol: float = 1e-9,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        progress: ProgressOption = False,
        memory_limit: int | str | None = None,
        engine: EngineChoice = "auto",
        checkpoint: FilePath | None = None,
    ) -> None:
        self.max_components: int | Literal["auto"] = max_components
        self.n_components: int | Literal["auto"] = n_components
        self.criterion: CriterionName = criterion
        self.step_root = step_root
        self.pruning: Pruning = pruning
        self.centers: Centers = centers
        self.prior_strength = prior_strength
        self.refine = refine
        self.effort = effort
        self.time_limit = time_limit
        self.categorical: CategoricalChoice = categorical
        self.numeric: NumericChoice = numeric
        self.ordered: OrderedChoice = ordered
        self.drop = drop
        self.covariance: Covariance = covariance
        self.predictive: Literal["stack", "chosen"] = predictive
        self.missing: Missing = missing
        self.missing_values = missing_values
        self.default_missing = default_missing
        self.discretize: Discretize = discretize
        self.transform_numbers: Literal["auto", "none"] = transform_numbers
        self.unseen: Unseen = unseen
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.progress = progress
        self.memory_limit = memory_limit
        self.engine: EngineChoice = engine
        self.checkpoint = checkpoint

    @classmethod
    def as_published(cls, max_components: int, **parameters: Any) -> Galileo:
        """Return the method of the paper to the letter: annealing alone, by plain EM.

        Parameters
        ----------
        max_components : int
            k_max; the paper advises twice the number of components expected.
        **parameters
            Any other parameter but ``refine`` and ``prior_strength``; unless given, ``centers`` is
            "marginals", ``transform_numbers`` "none" and ``predictive`` "chosen".

        Examples
        --------
        >>> Galileo.as_published(40, criterion="density").refine
        False
        """
        fixed = {"refine", "prior_strength"} & set(parameters)
        if fixed:
            raise ParameterError(f"{', '.join(sorted(fixed))}: fixed in the published method")
        usual = {"centers": "marginals", "transform_numbers": "none", "predictive": "chosen"}
        given: dict[str, Any] = usual | parameters
        return cls(max_components, refine=False, prior_strength=0.0, **given)

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Galileo:
        """Find the components of a table.

        Parameters
        ----------
        X : table
            A pandas, polars or Arrow frame, a numpy array, a list of rows or of dicts; the path
            of a CSV or Parquet file, several of them, a pattern or a directory, a URL, a `Csv`, a
            pyarrow dataset, or an iterator of record batches; a Dask frame or array, a Spark
            frame. These need not fit in memory.
        y : ignored
        sample_weight : array of shape (n_rows,), optional
            How many rows each row stands for. Of a Dask table it may be a Dask series or array in
            the same partitions; of a Spark frame it is the name of a column, which is not modelled.

        Returns
        -------
        Galileo
            The fitted model itself.
        """
        with shown(self.progress) as report:
            self._fit(X, sample_weight, report)
        forget(self)
        return self

    def _fit(self, X: Any, sample_weight: Any, report: Report | None) -> Galileo:
        """Find the components of a table, and tell of progress; steps that were kept stay."""
        parameters.check(self)
        cluster = cluster_for(self.engine, X)
        with Folder() as folder:
            settings = parameters.fit_settings(self, report)
            if cluster is None:
                table = parameters.prepared(self, X, sample_weight, folder, report)
            else:
                table = parameters.prepared_on(cluster, self, X, sample_weight)
            self._model, labels = fit_model(table, checkpointed(self, table, settings))
        remember_features(self, table.schema.column_names, table.named)
        lazy = is_dask(X) or is_spark(X)
        self.labels_ = self.predict(X) if labels is None or lazy else labels
        return self

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
        other = copy.copy(self)
        other._model = model_of(self).at(k)
        if k != self.n_components_:
            vars(other).pop("labels_", None)
        return other

    def _to_saved(self) -> SavedModel:
        """Return what a model file holds."""
        model = model_of(self)
        parameters.check(self)
        given = {**self.get_params(deep=False), "checkpoint": None}
        if is_cluster(self.engine):
            kind = "Spark session" if is_session(self.engine) else "Dask client"
            warn(f"engine is a {kind} and is not saved; it will be 'auto'", GalileoWarning)
            given["engine"] = "auto"
        if callable(given["progress"]):
            warn("progress is a function and is not saved; it will be False", GalileoWarning)
            given["progress"] = False
        return SavedModel(type(self).__name__, given, model, {})

    @classmethod
    def _from_saved(cls, saved: SavedModel, file: FilePath | None = None) -> Self:
        """Return the fitted estimator; `file` is where it comes from, for the message."""
        problem = cls._problem(saved)
        if problem:
            raise ModelFileError(problem, file=None if file is None else str(file))
        estimator = cls(**saved.parameters)
        estimator._model = saved.model
        remember_features(estimator, saved.model.schema.column_names, saved.model.named)
        return estimator

    @classmethod
    def _problem(cls, saved: SavedModel) -> str:
        """Return why what was saved cannot be of this class; nothing where it can."""
        if saved.estimator != cls.__name__:
            return f"this is a {saved.estimator}, not a {cls.__name__}"
        names = set(inspect.signature(cls).parameters)
        strange = (set(saved.parameters) - names) | set(saved.extra)
        if strange:
            return f"it holds what {cls.__name__} does not know: {', '.join(sorted(strange))}"
        estimator = cls(**saved.parameters)
        try:
            parameters.check(estimator)
        except (TypeError, ValueError) as error:
            return str(error)
        texts: Any = estimator.missing_values
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            return f"missing_values={texts!r:.60}: it must be a sequence of texts"
        return ""
