"""Answers to Spark's frames: rows have no index there, so that answers stand beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from galileomix._estimators.light import light
from galileomix._table import joined_batches, positional, quoted

TYPES = {"i": "BIGINT", "f": "DOUBLE"}
"""Types of columns as Spark calls them, by the kind of numpy's types."""


def answered(
    estimator: Any, X: Any, method: str, called: str | list[str], dtype: type[np.generic]
) -> Any:
    """Return a frame with what a method says of its rows, in place of columns of that name."""
    added = [called] if isinstance(called, str) else called
    kept = _others(X.columns, added)
    fields = [f"{quoted(name)} {TYPES[np.dtype(dtype).kind]}" for name in added]
    ask = partial(_answer, estimator=light(estimator), method=method, kept=kept, added=added)
    task = partial(_of_rows, names=X.columns, ask=ask)
    return positional(X).mapInArrow(task, ", ".join([*_fields(X, kept), *fields]))


def imputed(estimator: Any, X: Any, jointly: bool) -> Any:
    """Return a frame with its missing cells filled."""
    ask = partial(_imputed, estimator=light(estimator), jointly=jointly)
    return positional(X).mapInArrow(partial(_of_rows, names=X.columns, ask=ask), X.schema)


def _others(names: Sequence[str], added: Sequence[str]) -> list[str]:
    """Return the columns that stay: Spark does not tell capital letters from others."""
    taken = {name.casefold() for name in added}
    return [name for name in names if name.casefold() not in taken]


def _fields(X: Any, names: Sequence[str]) -> list[str]:
    """Return columns and their types as Spark writes them."""
    return [f"{quoted(name)} {X.schema[name].dataType.simpleString()}" for name in names]


def _of_rows(
    batches: Iterable[Any], names: Sequence[str], ask: Callable[[Any], Any]
) -> Iterator[Any]:
    """Yield what is made of rows, whose columns have their own names then."""
    for rows in joined_batches(batches):
        yield from ask(rows.rename_columns(names)).to_batches()


def _answer(
    rows: Any, estimator: Any, method: str, kept: Sequence[str], added: Sequence[str]
) -> Any:
    """Return rows with what a method says of them."""
    found = np.asarray(getattr(estimator, method)(rows)).reshape(rows.num_rows, len(added))
    table = rows.select(list(kept))
    for name, column in zip(added, found.T, strict=True):
        table = table.append_column(name, pa.array(np.ascontiguousarray(column)))
    return table


def _imputed(rows: Any, estimator: Any, jointly: bool) -> Any:
    """Return rows with their missing cells filled."""
    return estimator.impute(rows, jointly=jointly).cast(rows.schema)
