"""One raw column, whatever holds it, to numbers or categories."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from galileomix._table.column import CategoryColumn, Column, NumberColumn, TextColumn, number_column
from galileomix._table.read.declared_types import Declared
from galileomix._table.read.factor import Part, factor_integers, factor_parts
from galileomix._table.read.missing_values import MissingValues
from galileomix._table.read.text_types import not_a_number, parse_column, parse_numbers
from galileomix._table.values import DATE_HELP, MISSING_TYPES, Value, plain
from galileomix.errors import TableError

NESTED_HELP = "turn it into plain columns or text, or leave it out"
USABLE_ARROW_TYPES = (
    *("null", "boolean", "integer", "floating", "decimal"),
    *("string", "large_string", "string_view"),
    *("binary", "large_binary", "binary_view", "fixed_size_binary"),
)


@dataclass(frozen=True, eq=False)
class Factors:
    """A column that came as codes into a list of categories; -1 is missing."""

    values: Sequence[object]
    codes: NDArray[Any]

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)


# A one-dimensional array, an Arrow array (of one or more chunks), objects, or categories.
Raw = Any
Cells = Sequence[object] | NDArray[Any]


def to_column(
    name: str, raw: Raw, declared: Declared = "auto", missing_values: Sequence[str] = ()
) -> Column:
    """Read one raw column as the user declared it, or by its own type.

    Cells that `missing_values` name are missing, numbers and booleans by how they are written.
    """
    if np.ma.isMaskedArray(raw):
        raw = _unmasked(raw)
    missing = MissingValues.of(missing_values)
    numeric = declared == "numeric"
    if numeric and isinstance(raw, np.ndarray) and raw.dtype.kind in "iub" and not missing:
        return number_column(name, raw)  # not by way of codes
    column = _by_own_type(name, _with_missing(raw, missing) if missing else raw, declared)
    if missing and isinstance(column, CategoryColumn):
        values = [None if value in missing else value for value in column.values]
        column = factor_parts(name, [(values, column.codes)])
    if numeric:
        return as_numbers(column)
    return as_categories(column) if declared == "categorical" else column


def _unmasked(array: Any) -> NDArray[Any]:
    """Put a missing value where the mask is, instead of what lies beneath it."""
    if array.dtype.kind == "f":
        return np.asarray(array.filled(np.nan))
    cells = np.array(array.data, dtype=object)
    cells[np.ma.getmaskarray(array)] = None
    return cells


def _with_missing(raw: Any, missing: MissingValues) -> Raw:
    """Put None or NaN where a cell means missing: the type of the others may depend on it."""
    if isinstance(raw, list | tuple) or (isinstance(raw, np.ndarray) and raw.dtype.kind == "O"):
        cells: list[object] = list(raw)
        return [None if cell in missing else cell for cell in cells]
    array: Any = raw
    if isinstance(raw, pa.Array | pa.ChunkedArray) and _is_float(array.type):
        raw = _floats(array)
    if isinstance(raw, np.ndarray) and raw.dtype.kind == "f":
        return missing.as_nan(raw)
    return raw


def _by_own_type(name: str, raw: Raw, declared: Declared) -> Column:
    if isinstance(raw, Factors):
        return factor_parts(name, [(raw.values, raw.codes)])
    if isinstance(raw, pa.Array | pa.ChunkedArray):
        return _from_arrow(name, raw)
    if isinstance(raw, np.ndarray) and raw.dtype.kind != "O":
        return _from_numpy(name, raw)
    return _from_objects(name, raw, declared)


def as_categories(column: Column) -> CategoryColumn:
    """Read a column as categories: of numbers, each distinct number is one."""
    if isinstance(column, CategoryColumn):
        return column
    if isinstance(column, TextColumn):
        text = parse_column(column, "text")
        assert isinstance(text, CategoryColumn)
        return text
    values = np.ascontiguousarray(column.values, dtype=np.float64)
    return factor_parts(column.name, _parts(pa.array(values, from_pandas=True)))


def as_numbers(column: Column) -> NumberColumn:
    """Read a column as numbers; text counts where it reads as one, as in ``"1.5"``."""
    if isinstance(column, NumberColumn):
        return column
    if isinstance(column, TextColumn):
        return parse_numbers(column)
    table, wrong = np.full(len(column.values), np.nan), np.zeros(len(column.values), np.bool_)
    for code, value in enumerate(column.values):
        try:
            table[code] = np.nan if value is None else float(value)
        except ValueError:
            wrong[code] = True
    if wrong.any() and (bad := wrong[column.codes]).any():
        row = int(np.argmax(bad))
        raise not_a_number(column.name, column.values[column.codes[row]], row)
    return number_column(column.name, table[column.codes])


def _from_numpy(name: str, array: NDArray[Any]) -> Column:
    kind = array.dtype.kind  # numpy's letter for a family of dtypes
    if kind == "c":
        raise TableError(f"Complex data not supported: column {name!r} holds complex numbers")
    if kind in "Mm":
        raise TableError(f"dates or times ({array.dtype}): {DATE_HELP}", column=name)
    if kind == "f":
        return number_column(name, array)
    if kind == "T":  # numpy's text of variable length, which may hold missing values
        return _from_objects(name, array.astype(object), "categorical")
    if kind not in "iubUS":
        raise TableError(f"{array.dtype}, neither categories nor numbers", column=name)
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    if kind in "iub" and (column := factor_integers(name, array)) is not None:
        return column
    try:
        return factor_parts(name, _parts(pa.array(array)))
    except (pa.ArrowException, UnicodeError):  # such as half of a surrogate pair
        return _from_objects(name, array.astype(object), "categorical")


def _from_arrow(name: str, array: Any) -> Column:
    arrow_type = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not _usable(arrow_type):
        dates = pa.types.is_temporal(arrow_type)
        what = "dates or times" if dates else "nested or special values"
        help_ = DATE_HELP if dates else NESTED_HELP
        raise TableError(f"{what} ({arrow_type}): {help_}", column=name)
    if _is_float(array.type):
        return number_column(name, _floats(array))
    if pa.types.is_integer(array.type) and array.null_count == 0:
        return _from_numpy(name, np.asarray(array.to_numpy(zero_copy_only=False)))
    return factor_parts(name, _parts(array))


def family(arrow_type: Any) -> str:
    """Return what an Arrow type holds, in words; parts of one table must agree in it."""
    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    if pa.types.is_null(arrow_type):
        return "any"
    if pa.types.is_integer(arrow_type):
        return "integers"
    if _is_float(arrow_type):
        return "numbers"
    return "booleans" if pa.types.is_boolean(arrow_type) else "text"


def _is_float(arrow_type: Any) -> bool:
    return pa.types.is_floating(arrow_type) or pa.types.is_decimal(arrow_type)


def _floats(array: Any) -> NDArray[Any]:
    wide = array if pa.types.is_floating(array.type) else array.cast(pa.float64())
    return np.asarray(wide.to_numpy(zero_copy_only=False))


def _usable(arrow_type: Any) -> bool:
    # By name, since older versions of pyarrow lack the tests for views.
    tests = (getattr(pa.types, f"is_{name}", None) for name in USABLE_ARROW_TYPES)
    return any(test(arrow_type) for test in tests if test is not None)


def _parts(array: Any) -> Iterator[Part]:
    for chunk in array.chunks if isinstance(array, pa.ChunkedArray) else [array]:
        if pa.types.is_null(chunk.type):
            yield [], np.full(len(chunk), -1, np.int8)
            continue
        coded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        codes = coded.indices
        if codes.null_count:
            # Unsigned indices cannot hold -1; int64 holds every index and -1.
            codes = codes.cast(pa.int64()).fill_null(-1)
        yield coded.dictionary.to_pylist(), np.asarray(codes.to_numpy(zero_copy_only=False))


def _from_objects(name: str, cells: Cells, declared: Declared) -> Column:
    """Read Python objects. What they are must not depend on which of them comes first."""
    families = {_family(cell_type) for cell_type in set(map(type, cells))} - {"missing"}
    try:
        if not families:
            return _from_arrow(name, pa.nulls(len(cells)))
        if families <= {"int", "float"} and not (declared == "categorical" and len(families) == 2):
            return _from_arrow(name, pa.array(cells, from_pandas=True))
        if families <= {"str", "float"}:  # the floats may all be NaN, which is missing
            return _from_arrow(name, pa.array(cells, pa.large_string(), from_pandas=True))
        if families <= {"bool", "float"}:
            return _from_arrow(name, pa.array(cells, pa.bool_(), from_pandas=True))
    except (pa.ArrowException, OverflowError, UnicodeError, TypeError):
        pass  # Arrow has no type for these together, but values of mixed types are categories
    return _from_mixed(name, cells, declared)


def _family(cell_type: type) -> str:
    if cell_type.__name__ in MISSING_TYPES:
        return "missing"
    if issubclass(cell_type, bool | np.bool_):
        return "bool"
    if issubclass(cell_type, str):
        return "str"
    if issubclass(cell_type, numbers.Integral):
        return "int"
    return "float" if issubclass(cell_type, numbers.Real | Decimal) else "other"


def _from_mixed(name: str, cells: Cells, declared: Declared) -> Column:
    values: list[Value] = []
    for row, cell in enumerate(cells):
        try:
            values.append(plain(cell))
        except TableError as error:
            raise type(error)(error.problem, column=name, row=row) from None
    types = set(map(type, values)) - {type(None)}
    if declared != "categorical" and float in types and types <= {int, float}:
        return number_column(name, np.array(values, dtype=np.float64))
    return factor_parts(name, [(values, np.arange(len(values)))])
