"""Schemas: columns that are modelled and those that are left out, and what a file may hold."""

from typing import Any

import pytest

from galileomix._table import Categorical, ColumnType, Numeric, Ordered, Place, Schema
from galileomix._table.text.text_format import TextFormat
from galileomix.errors import ParameterError, TableError

ATTRIBUTES = (
    Categorical("a", ("x", "y")),
    Numeric("b", 5.0, 2.0),
    Numeric("c", 0.0, 1.0, spike=0.0),
    Ordered("d", ("S", "M", "L", None)),
)
COLUMNS = (
    ColumnType("id", "identifier", "30 different values in 30 rows"),
    ColumnType("a", "category"),
    ColumnType("b", "number", "numbers with decimals", TextFormat("number", ",", missing=("-",))),
    ColumnType("c", "number", "", TextFormat("number"), 0.25),
    ColumnType("note", "text"),
    ColumnType("d", "ordered"),
    ColumnType("e", "dropped", "as you say"),
)
SCHEMA = Schema(ATTRIBUTES, columns=COLUMNS)


def test_the_views_of_a_schema() -> None:
    assert SCHEMA.names == ("a", "b", "c", "d")
    assert SCHEMA.column_names == ("id", "a", "b", "c", "note", "d", "e")
    assert [column.name for column in SCHEMA.modelled] == ["a", "b", "c", "d"]
    assert [column.name for column in SCHEMA.left_out] == ["id", "note", "e"]
    assert [attribute.name for attribute in SCHEMA.categorical] == ["a", "c", "d"]
    assert [attribute.name for attribute in SCHEMA.numeric] == ["b", "c"]
    assert SCHEMA.cardinalities == (2, 2, 4)
    assert SCHEMA.n_attributes == 4


def test_where_attributes_stand_in_a_block() -> None:
    assert SCHEMA.places == (Place(0, None), Place(None, 0), Place(1, 1), Place(2, None))
    assert SCHEMA.ordered == ((2, 3),)


def test_a_schema_survives_a_dictionary() -> None:
    assert Schema.from_dict(SCHEMA.to_dict()) == SCHEMA


def test_model_files_of_the_first_version_say_nothing_of_columns() -> None:
    attributes = [attribute.to_dict() for attribute in ATTRIBUTES]
    schema = Schema.from_dict({"missing": "ignore", "attributes": attributes})
    assert [column.type for column in schema.columns] == ["category", "number", "number", "ordered"]
    assert schema.column_names == schema.names


def changed(**changes: Any) -> dict[str, Any]:
    return {**SCHEMA.to_dict(), **changes}


def column(**changes: Any) -> dict[str, Any]:
    return {**ColumnType("a", "category").to_dict(), **changes}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"missing": "category", "attributes": [{"kind": "numeric", "name": "a"}]},
        {"missing": "category", "attributes": [{"kind": "ordinal", "name": "a"}]},
        {"missing": "category", "attributes": [3]},
        changed(columns=[column(type="nominal")]),
        changed(columns=[column(missing=2.0)]),
        changed(columns=[column(why=3)]),
        changed(columns=[column(format={"type": "date", "layout": "by hand"})]),
        changed(columns=[column(format={"type": "number", "decimal": ";"})]),
        changed(columns=[column(format={"speed": 1})]),
        changed(columns=[column(format={"missing": [3]})]),
        changed(columns=3),
    ],
)
def test_what_is_no_schema_is_refused(data: Any) -> None:
    with pytest.raises(TableError):
        Schema.from_dict(data)


def test_what_missing_may_be() -> None:
    with pytest.raises(ParameterError, match="missing='drop': it must be 'category' or 'ignore'"):
        Schema(ATTRIBUTES, "drop")  # type: ignore[arg-type]
