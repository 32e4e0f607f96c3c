"""Where a table is fitted: the parameter ``engine`` of a `Galileo`."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal

from galileomix._table import is_dask, is_spark
from galileomix.errors import ParameterError

EngineChoice = Literal["auto", "local", "dask", "spark"] | Any
"""A name, a `distributed.Client` or a `SparkSession`."""
NAMES = ("auto", "local", "dask", "spark")
MODULES = {"dask": "distributed", "spark": "pyspark.sql"}
"""What has to be installed for a cluster, by the name of its engine."""


class SharedClient:
    """Copies and pickles an estimator without what is a cluster's: its client, and lazy labels.

    A client can be neither copied nor pickled, nor can a frame of Spark; labels of Dask hold the
    graph of the table.
    """

    engine: EngineChoice

    def __sklearn_clone__(self) -> Any:
        """Return an unfitted copy with the same cluster."""
        plain = copy.copy(self)
        plain.engine = _without_cluster(self.engine)
        parent: Any = super(SharedClient, plain)
        other = parent.__sklearn_clone__()
        other.engine = self.engine
        return other

    def __getstate__(self) -> dict[str, Any]:
        parent: Any = super()
        state = {**parent.__getstate__(), "engine": _without_cluster(self.engine)}
        labels = state.get("labels_")
        if is_dask(labels) or is_spark(labels):
            del state["labels_"]
        return state


def _without_cluster(engine: EngineChoice) -> EngineChoice:
    return "auto" if is_cluster(engine) else engine


def check_engine(engine: Any) -> None:
    """Raise `ParameterError` where a value stands for no engine."""
    if not (isinstance(engine, str) and engine in NAMES) and not is_cluster(engine):
        shown = ", ".join(map(repr, NAMES))
        raise ParameterError(
            f"engine={engine!r}: it must be {shown}, a distributed.Client or a SparkSession"
        )


def is_cluster(engine: Any) -> bool:
    """Whether a value is a client of Dask or a session of Spark; neither is imported for that."""
    return _is_client(engine) or is_session(engine)


def _is_client(engine: Any) -> bool:
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(engine, distributed.Client)


def is_session(engine: Any) -> bool:
    """Whether a value is a session of Spark, of this process or by Spark Connect."""
    kind = type(engine)
    return kind.__module__.startswith("pyspark.sql.") and kind.__name__ == "SparkSession"


def cluster_for(engine: EngineChoice, table: Any) -> Any:
    """Return the client or session of the cluster that fits a table; None for this process.

    By default that is for Dask's own tables, where a client is in force, and for Spark's.
    """
    if engine == "local" or is_cluster(engine):
        return None if engine == "local" else engine
    if engine == "auto" and is_spark(table):
        return table.sparkSession
    if engine == "auto" and is_dask(table):
        return _in_force()
    return None if engine == "auto" else _named(engine)


def _in_force() -> Any:
    """Return the client of Dask in force; None where there is none, or no distributed Dask."""
    try:
        from galileomix._passes.dask_cluster import client_in_force
    except ImportError:
        return None
    return client_in_force()


def _named(engine: str) -> Any:
    """Return the client or session in force of a kind of cluster."""
    of_engine: Callable[[str], Any]
    try:
        import_module(MODULES[engine])
    except ImportError as error:
        raise ParameterError(
            f"engine={engine!r} needs {engine.title()}, which is not installed ({error}): "
            f"`pip install '.[{engine}]'` in a clone of Galileo"
        ) from error
    if engine == "dask":
        from galileomix._passes.dask_cluster import client_of as of_engine
    else:
        from galileomix._passes.spark_cluster import session_of as of_engine
    return of_engine(engine)
