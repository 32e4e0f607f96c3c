"""What the cells of an Arrow array may be: neither Arrow nor a file looks at them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from galileomix._table.read import temporal
from galileomix._table.values import plain
from galileomix.errors import TableError

TEXT_TYPES = ("string", "large_string", "string_view")


def is_any(arrow_type: Any, *names: str) -> bool:
    """Return whether a type is one of these."""
    # By name, since older versions of pyarrow lack the tests for views.
    tests = (getattr(pa.types, f"is_{name}", None) for name in names)
    return any(test(arrow_type) for test in tests if test is not None)


def check_cells(name: str, array: Any) -> None:
    """Refuse text that is not UTF-8 and dates that are out of range, by their row.

    They may be codes into a dictionary.
    """
    coded = pa.types.is_dictionary(array.type)
    arrow_type = array.type.value_type if coded else array.type
    if temporal.temporal_unit(arrow_type):
        temporal.from_arrow(name, array.cast(arrow_type) if coded else array)
    if is_any(arrow_type, *TEXT_TYPES):
        try:
            array.validate(full=True)
        except pa.ArrowInvalid:
            refuse_bytes(name, array.cast(arrow_type) if coded else array)


def refuse_bytes(name: str, array: Any) -> None:
    """Refuse the first cell whose bytes are not UTF-8."""
    for row, cell in enumerate(array.cast(pa.large_binary()).to_pylist()):
        try:
            plain(cell)
        except TableError as error:
            raise TableError(error.problem, column=name, row=row) from None
