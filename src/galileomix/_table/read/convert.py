"""One raw column, whatever holds it, to numbers, text or categories."""

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
from galileomix._table.read import temporal
from galileomix._table.read.arrow_cells import TEXT_TYPES, check_cells, is_any, refuse_bytes
from galileomix._table.read.declared_types import AUTO, Declared
from galileomix._table.read.factor import Part, factor_integers, factor_parts
from galileomix._table.read.missing_values import MissingValues
from galileomix._table.text.missing_text import SPELLINGS
from galileomix._table.text.text_format import Strange, TextFormat, refuse
from galileomix._table.values import MISSING_TYPES, Value, is_signal, plain
from galileomix.errors import TableError

NESTED_HELP = "turn it into plain columns or text, or leave it out"
BYTE_TYPES = ("binary", "large_binary", "binary_view", "fixed_size_binary")
USABLE_ARROW_TYPES = (
    *("null", "boolean", "integer", "floating", "decimal", "temporal"),
    *TEXT_TYPES,
    *BYTE_TYPES,
)
ALL_MISSING = MissingValues()


@dataclass(frozen=True, eq=False)
class Factors:
    """A column that came as codes into a list of categories; -1 is missing."""

    values: Sequence[object]
    codes: NDArray[Any]
    ordered: bool = False

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)


# A one-dimensional array, an Arrow array (of one or more chunks), objects, or categories.
Raw = Any
Cells = Sequence[object] | NDArray[Any]


def to_column(
    name: str, raw: Raw, declared: Declared = AUTO, missing: MissingValues = ALL_MISSING
) -> Column:
    """Read one raw column by its own type, or as the user declared it.

    Cells that mean missing are so, numbers and booleans by how they are written.
    """
    if declared.type == "drop":
        return CategoryColumn(name, (None,), np.zeros(len(raw), np.uint8))
    if np.ma.isMaskedArray(raw):
        raw = _unmasked(raw)
    column = _by_own_type(name, _with_missing(raw, missing), declared)
    if isinstance(column, TextColumn):
        column = missing.in_text(column)
    elif missing.named and isinstance(column, CategoryColumn):
        values = [None if value in missing else value for value in column.values]
        ordered = column.ordered
        column = factor_parts(name, [(values, column.codes)], ordered)
    elif missing.named and isinstance(column, NumberColumn):
        column = NumberColumn(name, missing.as_nan(column.values), column.unit)
    if declared.type == "numeric" and isinstance(column, CategoryColumn):
        return as_numbers(column)
    categories = declared.type in ("categorical", "ordered") and isinstance(column, NumberColumn)
    return as_categories(column) if categories else column


def _unmasked(array: Any) -> NDArray[Any]:
    """Put a missing value where the mask is, instead of what lies beneath it."""
    if array.dtype.kind == "f":
        return np.asarray(array.filled(np.nan))
    cells = np.array(array.data, dtype=object)
    cells[np.ma.getmaskarray(array)] = None
    return cells


def _with_missing(raw: Any, missing: MissingValues) -> Raw:
    """Put None where an object means missing, as the type of the others may depend on it.

    And NaN where a number does, which may be infinite and would be refused.
    """
    arrow_type: Any = getattr(raw, "type", None)
    if missing.named and isinstance(arrow_type, pa.DataType) and is_float(arrow_type):
        raw = _floats(raw)
    if missing.named and isinstance(raw, np.ndarray) and raw.dtype.kind == "f":
        return missing.as_nan(raw)
    objects = isinstance(raw, list | tuple) or (
        isinstance(raw, np.ndarray) and raw.dtype.kind == "O"
    )
    if not objects or not (missing.named or missing.usual):
        return raw
    cells: list[Any] = list(raw)
    usual = SPELLINGS if missing.usual else frozenset[str]()
    texts = any(isinstance(cell, str) for cell in cells)
    if not missing.named and (not texts or all(isinstance(cell, str | None) for cell in cells)):
        return raw  # text is looked at as a whole
    return [
        None if cell in missing or (isinstance(cell, str) and cell in usual) else cell
        for cell in cells
    ]


def _by_own_type(name: str, raw: Raw, declared: Declared) -> Column:
    if isinstance(raw, Factors):
        return factor_parts(name, [(raw.values, raw.codes)], raw.ordered)
    if isinstance(raw, pa.Array | pa.ChunkedArray):
        return _from_arrow(name, raw)
    if isinstance(raw, np.ndarray) and raw.dtype.kind != "O":
        return _from_numpy(name, raw, declared)
    return _from_objects(name, raw, declared)


def as_categories(column: Column) -> CategoryColumn:
    """Read a column as categories: of numbers, each distinct number is one."""
    if isinstance(column, CategoryColumn):
        return column
    if isinstance(column, TextColumn):
        return factor_parts(column.name, [(column.texts.to_pylist(), column.codes)])
    values = np.ascontiguousarray(column.values)
    if values.dtype.kind in "iu":
        by_table = factor_integers(column.name, values)
        return by_table or factor_parts(column.name, _parts(pa.array(values)))
    values = values.astype(np.float64, copy=False)
    return factor_parts(column.name, _parts(pa.array(values, from_pandas=True)))


def as_numbers(
    column: Column, how: TextFormat | None = None, strange: Strange = refuse
) -> NumberColumn:
    """Read a column as numbers; text counts where it reads as one, as in ``"1.5"``."""
    if isinstance(column, TextColumn):
        read = (how or TextFormat("number")).read(column, strange)
        assert isinstance(read, NumberColumn)
        return read
    if isinstance(column, NumberColumn):
        return column
    table, wrong = np.full(len(column.values), np.nan), np.zeros(len(column.values), np.bool_)
    for code, value in enumerate(column.values):
        try:
            table[code] = np.nan if value is None else float(value)
        except ValueError:
            wrong[code] = True
        except OverflowError:  # an integer beyond any float: refused below, by its row
            table[code] = np.inf
    if wrong.any():
        strange(column, wrong, "a number")
    return number_column(column.name, table[column.codes])


def _from_numpy(name: str, array: NDArray[Any], declared: Declared) -> Column:
    kind = array.dtype.kind  # numpy's letter for a family of dtypes
    if kind == "c":
        raise TableError(f"Complex data not supported: column {name!r} holds complex numbers")
    if kind in "Mm":
        return temporal.from_numpy(name, array)
    if kind == "f":
        return number_column(name, array)
    if kind == "T":  # numpy's text of variable length, which may hold missing values
        return _from_objects(name, array.astype(object), declared)
    if kind not in "iubUS":
        raise TableError(f"{array.dtype}, neither categories nor numbers", column=name)
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    if kind in "iu":
        return number_column(name, array)
    if kind == "b":
        return CategoryColumn(name, (False, True), array.view(np.uint8))
    try:
        return _from_arrow(name, pa.array(array))
    except (pa.ArrowException, UnicodeError):  # such as half of a surrogate pair
        return _from_objects(name, array.astype(object), declared)


def _from_arrow(name: str, array: Any) -> Column:
    arrow_type = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not is_any(arrow_type, *USABLE_ARROW_TYPES):
        raise TableError(f"nested or special values ({arrow_type}): {NESTED_HELP}", column=name)
    if temporal.temporal_unit(array.type):
        return temporal.from_arrow(name, array)
    check_cells(name, array)
    if is_float(array.type):
        return number_column(name, _floats(array))
    if pa.types.is_integer(array.type):
        if array.null_count:
            array = array.cast(pa.float64(), safe=False)
        return number_column(name, np.asarray(array.to_numpy(zero_copy_only=False)))
    array = _decoded(name, array) if is_any(array.type, *BYTE_TYPES) else array
    if is_any(array.type, *TEXT_TYPES):
        return text_column(name, array)
    ordered = pa.types.is_dictionary(array.type) and array.type.ordered
    return factor_parts(name, _parts(array), ordered)


def _decoded(name: str, array: Any) -> Any:
    """Return bytes as text."""
    try:
        return array.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:
        refuse_bytes(name, array)
    except pa.ArrowNotImplementedError:
        pass  # older versions of pyarrow cannot cast all of them
    return array


def text_column(name: str, array: Any) -> TextColumn:
    """Return an Arrow array of text as a column whose type is open."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if is_any(array.type, "string_view"):  # which Arrow cannot encode
        array = array.cast(pa.large_string())
    coded = array if pa.types.is_dictionary(array.type) else array.dictionary_encode()
    codes = coded.indices.fill_null(-1) if coded.null_count else coded.indices
    texts = coded.dictionary.cast(pa.string())
    return TextColumn(name, texts, np.asarray(codes.to_numpy(zero_copy_only=False)))


def family(arrow_type: Any) -> str:
    """Return what an Arrow type holds, in words; parts of one table must agree in it."""
    if pa.types.is_dictionary(arrow_type):
        arrow_type = arrow_type.value_type
    if pa.types.is_null(arrow_type):
        return "any"
    if pa.types.is_integer(arrow_type) or is_float(arrow_type):
        return "numbers"
    if unit := temporal.temporal_unit(arrow_type):
        return f"{unit}s"
    return "booleans" if pa.types.is_boolean(arrow_type) else "text"


def is_float(arrow_type: Any) -> bool:
    """Return whether an Arrow type holds numbers with fractions."""
    return pa.types.is_floating(arrow_type) or pa.types.is_decimal(arrow_type)


def _floats(array: Any) -> NDArray[Any]:
    wide = array if pa.types.is_floating(array.type) else array.cast(pa.float64())
    return np.asarray(wide.to_numpy(zero_copy_only=False))


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
    types = set(map(type, cells))
    families = {_family(cell_type) for cell_type in types} - {"missing"}
    try:
        if Decimal in types and any(map(is_signal, cells)):
            return _from_mixed(name, cells, declared)  # which refuses it by its row
        if not families:
            return _from_arrow(name, pa.nulls(len(cells)))
        if families <= {"int", "float"} and not (
            declared.type == "categorical" and len(families) == 2
        ):
            return _from_arrow(name, pa.array(cells, from_pandas=True))
        if families <= {"str", "float"}:  # the floats may all be NaN, which is missing
            return _from_arrow(name, pa.array(cells, pa.large_string(), from_pandas=True))
        if families <= {"bool", "float"}:
            return _from_arrow(name, pa.array(cells, pa.bool_(), from_pandas=True))
        if len(dated := families - {"float"}) == 1 and dated <= {"date", "time", "duration"}:
            return temporal.from_objects(name, list(cells), dated.pop())
    except (pa.ArrowException, OverflowError, UnicodeError, TypeError):
        pass  # Arrow has no type for these together, but values of mixed types are categories
    return _from_mixed(name, cells, declared)


def _family(cell_type: type) -> str:
    if cell_type.__name__ in MISSING_TYPES:
        return "missing"
    families: dict[str, Any] = {
        "bool": bool | np.bool_,
        "str": str,
        "date": temporal.DATES,
        "time": temporal.TIMES,
        "duration": temporal.DURATIONS,
        "int": numbers.Integral,
        "float": numbers.Real | Decimal,
    }
    return next((name for name, types in families.items() if issubclass(cell_type, types)), "other")


def _from_mixed(name: str, cells: Cells, declared: Declared) -> Column:
    values: list[Value] = []
    for row, cell in enumerate(cells):
        try:
            values.append(plain(cell))
        except TableError as error:
            raise type(error)(error.problem, column=name, row=row) from None
    types = set(map(type, values)) - {type(None)}
    if declared.type != "categorical" and float in types and types <= {int, float}:
        return number_column(name, np.array(values, dtype=np.float64))
    return factor_parts(name, [(values, np.arange(len(values)))])
