"""What is given in a question, as a block of one row in which all else is unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from galileomix._table import Block, Categorical, Schema, encode, read
from galileomix.errors import ParameterError, TableError

SHOWN_NAMES = 20


def block_of(given: Any, schema: Schema) -> Block:
    """Return what is given, a mapping of names to values, as a block of one row.

    A missing value is a value like any other where the schema has it, and otherwise not known.

    Raises
    ------
    ParameterError
        Where it is no mapping, a column is not in the schema, or was never seen with the value.

    Examples
    --------
    >>> from galileomix._table import Numeric
    >>> schema = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))
    >>> block = block_of({"width": 9.0}, schema)
    >>> block.codes.tolist(), block.numbers.tolist()
    ([[2]], [[2.0]])
    """
    if not isinstance(given, Mapping):
        raise ParameterError(f"given={given!r}: it must be a mapping of column names to values")
    for name in given:
        check_name(name, schema.names)
    codes = np.array([schema.cardinalities], dtype=np.uint32)
    numbers = np.full((1, len(schema.numeric)), np.nan)
    known = tuple(each for each in schema.attributes if each.name in given)
    if known:
        part = _encoded(given, Schema(known, schema.missing))
        names = [each.name for each in schema.categorical]
        here = [names.index(each.name) for each in known if isinstance(each, Categorical)]
        codes[:, here] = part.codes
        names = [each.name for each in schema.numeric]
        numbers[:, [names.index(each.name) for each in known if each.name in names]] = part.numbers
    return Block(codes, numbers, np.ones(1))


def _encoded(given: Mapping[str, Any], schema: Schema) -> Block:
    try:
        table = read({name: [given[name]] for name in schema.names})
        (block,) = encode(table, schema, unseen="error")
    except TableError as error:
        raise ParameterError(f"given {error.column!r}: {error.problem}") from error
    return block


def check_name(name: Any, names: Sequence[str]) -> None:
    """Refuse what is no column of the table that was fitted."""
    if name not in names:
        shown = ", ".join(map(repr, names[:SHOWN_NAMES]))
        more = ", ..." if len(names) > SHOWN_NAMES else ""
        raise ParameterError(f"no column {name!r} was fitted; there are {shown}{more}")
