"""Columns and a schema to blocks of codes and standardised numbers, and back."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from galileomix.errors import GalileoWarning, ParameterError, TableError
from galileomix.table.column import CategoryColumn, Codes, Columns, narrowest, slices
from galileomix.table.convert import as_categories, as_numbers
from galileomix.table.schema import Categorical, Schema
from galileomix.table.values import Value, key

BLOCK_ROWS = 8192
"""Rows in a block. Results are folded block by block, so this number is part of their bits."""

Unseen = Literal["ignore", "error"]
SHOWN_VALUES = 3


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a table as the kernels read them.

    Parameters
    ----------
    codes : ndarray of shape (n, M), unsigned
        The position of each value in its attribute's vocabulary. The number of values of the
        attribute itself, one past the last, means unknown: leave this attribute out.
    numbers : ndarray of shape (n, Q)
        The numeric attributes as ``(x - center) / scale``; NaN is unknown.
    weights : ndarray of shape (n,)
        How many rows each row stands for.

    Examples
    --------
    >>> from galileomix.table import read, infer_schema
    >>> table = read([["b", 1.0], ["a", 3.0]])
    >>> [block] = encode(table, infer_schema(table))
    >>> block.codes.tolist(), block.numbers.tolist(), len(block)
    ([[1], [0]], [[-1.0], [1.0]], 2)
    """

    codes: Codes
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.weights)


def encode(
    columns: Columns,
    schema: Schema,
    weights: NDArray[np.float64] | None = None,
    unseen: Unseen = "ignore",
    *,
    keep_zero_weight: bool = True,
    stacklevel: int = 2,
) -> list[Block]:
    """Encode a table whose columns stand as those of the schema (see `align`).

    Parameters
    ----------
    columns : Columns
        The table; column m is read as attribute m of the schema, numbers or categories.
    schema : Schema
        What `infer_schema` found in the table to fit.
    weights : ndarray of shape (n_rows,), optional
        What `check_weights` returned; one for every row where left out.
    unseen : {"ignore", "error"}
        What to do with a value that the schema does not have.
    keep_zero_weight : bool
        Whether rows of no weight are encoded, as to predict, or dropped, as to fit.
    stacklevel : int
        Whose line the warning names, as in `warnings.warn`.

    Returns
    -------
    list of Block
        Blocks of `BLOCK_ROWS` rows, the last one shorter, in the order of the rows.

    Examples
    --------
    >>> from galileomix.table import read, infer_schema
    >>> schema = infer_schema(read([["b"], ["a"]]))
    >>> encode(read([["c"]]), schema, unseen="error")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    galileomix.errors.TableError: column 'x0', row 0: 'c' was never seen in fit; ...
    """
    if unseen not in ("ignore", "error"):
        raise ParameterError(f"unseen={unseen!r}: it must be 'ignore' or 'error'")
    if len(columns.columns) != schema.n_attributes:
        raise TableError(f"{len(columns.columns)} columns for {schema.n_attributes} attributes")
    weights = np.ones(columns.n_rows) if weights is None else weights
    if not keep_zero_weight and not np.all(weights > 0):
        columns, weights = columns.rows(weights > 0), weights[weights > 0]
    codes = _codes(columns, schema, unseen, stacklevel + 1)
    numbers = _numbers(columns, schema)
    cuts = slices(columns.n_rows, BLOCK_ROWS)
    return [Block(codes[rows], numbers[rows], weights[rows]) for rows in cuts]


def _codes(columns: Columns, schema: Schema, unseen: Unseen, stacklevel: int) -> Codes:
    largest = max(schema.cardinalities, default=0)
    codes = np.empty((columns.n_rows, len(schema.categorical)), narrowest(largest))
    pairs = zip(columns.columns, schema.attributes, strict=True)
    chosen = [(column, each) for column, each in pairs if isinstance(each, Categorical)]
    left_out: list[str] = []
    for m, (column, attribute) in enumerate(chosen):
        categories = as_categories(column)
        table = _table(categories.values, attribute)
        left_out += _unseen(categories, table, attribute, schema, unseen)
        table = table.astype(codes.dtype)
        for rows in slices(columns.n_rows):
            codes[rows, m] = table[categories.codes[rows]]
    if left_out:
        warnings.warn("; ".join(left_out), GalileoWarning, stacklevel=stacklevel)
    return codes


def _table(values: Sequence[Value], attribute: Categorical) -> NDArray[np.int64]:
    """Return the code of each value, the number of codes where it has none."""
    unknown = len(attribute.values)
    exact = {key(value): code for code, value in enumerate(attribute.values)}
    # Integers turn into floats where a hole joins them (in pandas): 1.0 is then the value 1.
    equal: dict[Value, int] = {}
    for code, value in enumerate(attribute.values):
        equal.setdefault(value, code)
    codes = (exact.get(key(value), equal.get(value, unknown)) for value in values)
    return np.fromiter(codes, np.int64, len(values))


def _unseen(
    column: CategoryColumn,
    table: NDArray[np.int64],
    attribute: Categorical,
    schema: Schema,
    unseen: Unseen,
) -> list[str]:
    """Return what to say of values that have no code, or raise the error for them."""
    strange = table == len(attribute.values)
    if schema.missing == "ignore":
        strange &= np.array([value is not None for value in column.values])
    if not strange.any():
        return []
    rows = np.flatnonzero(strange[column.codes])
    if not len(rows):
        return []
    if unseen == "error":
        row = int(rows[0])
        raise TableError(
            f"column {column.name!r}, row {row}: {_shown(column.values[column.codes[row]])} was "
            f"never seen in fit; known values are {_some(attribute.values)}"
        )
    values = [column.values[code] for code in np.unique(column.codes[rows]).tolist()]
    many = "1 value" if len(rows) == 1 else f"{len(rows)} values"
    verb = "is" if len(rows) == 1 else "are"
    return [f"column {column.name!r}: {many} never seen in fit ({_some(values)}) {verb} left out"]


def _some(values: Sequence[Value]) -> str:
    more = ", ..." if len(values) > SHOWN_VALUES else ""
    return ", ".join(map(_shown, values[:SHOWN_VALUES])) + more


def _shown(value: Value) -> str:
    text = "a missing value" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _numbers(columns: Columns, schema: Schema) -> NDArray[np.float64]:
    numbers = np.empty((columns.n_rows, len(schema.numeric)))
    pairs = zip(columns.columns, schema.attributes, strict=True)
    chosen = [(column, each) for column, each in pairs if not isinstance(each, Categorical)]
    for q, (column, attribute) in enumerate(chosen):
        values = as_numbers(column).values
        for rows in slices(columns.n_rows):
            wide = values[rows].astype(np.float64, copy=False)
            numbers[rows, q] = (wide - attribute.center) / attribute.scale
    return numbers


def decode(
    codes: NDArray[Any], numbers: NDArray[np.float64], schema: Schema
) -> dict[str, list[Value] | NDArray[np.float64]]:
    """Return the columns that codes and standardised numbers stand for.

    Parameters
    ----------
    codes : ndarray of shape (n, M)
        Codes of the categorical attributes; one past the last is unknown and becomes None.
    numbers : ndarray of shape (n, Q)
        Standardised numbers of the numeric attributes.
    schema : Schema
        What they were encoded with.

    Returns
    -------
    dict
        Per attribute, in order: a list of values, or an array of numbers in the user's units.

    Examples
    --------
    >>> from galileomix.table import read, infer_schema
    >>> table = read({"odor": ["none", "foul"], "width": [1.0, 3.0]})
    >>> schema = infer_schema(table)
    >>> [block] = encode(table, schema)
    >>> decode(block.codes, block.numbers, schema)
    {'odor': ['none', 'foul'], 'width': array([1., 3.])}
    """
    result: dict[str, list[Value] | NDArray[np.float64]] = {}
    m = q = 0
    for attribute in schema.attributes:
        if isinstance(attribute, Categorical):
            values = np.empty(len(attribute.values) + 1, dtype=object)  # the last one stays None
            values[:-1] = attribute.values
            result[attribute.name] = values[codes[:, m]].tolist()
            m += 1
        else:
            result[attribute.name] = numbers[:, q] * attribute.scale + attribute.center
            q += 1
    return result
