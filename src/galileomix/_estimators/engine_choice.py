"""Where a table is fitted: the parameter ``engine`` of a `Galileo`."""

from __future__ import annotations

import copy
import sys
from typing import Any, Literal

from galileomix._table import is_dask
from galileomix.errors import ParameterError

EngineChoice = Literal["auto", "local", "dask"] | Any
"""A name, or a `distributed.Client`."""
NAMES = ("auto", "local", "dask")


class SharedClient:
    """Copies and pickles an estimator whose engine may be a client, which can be neither."""

    engine: EngineChoice

    def __sklearn_clone__(self) -> Any:
        """Return an unfitted copy with the same client."""
        plain = copy.copy(self)
        plain.engine = _without_client(self.engine)
        parent: Any = super(SharedClient, plain)
        other = parent.__sklearn_clone__()
        other.engine = self.engine
        return other

    def __getstate__(self) -> dict[str, Any]:
        parent: Any = super()
        return {**parent.__getstate__(), "engine": _without_client(self.engine)}


def _without_client(engine: EngineChoice) -> EngineChoice:
    return "auto" if is_client(engine) else engine


def check_engine(engine: Any) -> None:
    """Raise `ParameterError` where a value stands for no engine."""
    if not (isinstance(engine, str) and engine in NAMES) and not is_client(engine):
        shown = ", ".join(map(repr, NAMES))
        raise ParameterError(f"engine={engine!r}: it must be {shown} or a distributed.Client")


def is_client(engine: Any) -> bool:
    """Whether a value is a client of a Dask cluster; Dask is not imported for that."""
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(engine, distributed.Client)


def client_for(engine: EngineChoice, table: Any) -> Any:
    """Return the client of the cluster on which a table is fitted; None for this process.

    By default that is for Dask's own tables, where a client is in force.
    """
    if engine == "local" or (engine == "auto" and not is_dask(table)):
        return None
    try:
        from galileomix._passes.dask_cluster import client_in_force, client_of
    except ImportError as error:
        if engine == "auto":
            return None
        raise ParameterError(
            f"engine={engine!r} needs Dask, which is not installed ({error}): "
            f"`pip install galileomix[dask]`"
        ) from error
    return client_in_force() if engine == "auto" else client_of(engine)
