"""Schemas: what is inferred, what is warned of, what is refused."""

import warnings
from typing import Any

import numpy as np
import pytest

from galileomix._table import Categorical, Numeric, Schema, read, summarise
from galileomix.errors import (
    ConstantColumnWarning,
    GalileoWarning,
    ParameterError,
    TableError,
)
from table.helpers import schema_of


def warned(table: Any, missing: Any = "category") -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        summarise(read(table)).warn(missing)
    assert all(warning.filename == __file__ for warning in caught)
    return [f"{warning.category.__name__}: {warning.message}" for warning in caught]


def test_what_looks_like_an_identifier() -> None:
    names = [f"person {i}" for i in range(30)]
    [message] = warned({"name": names})
    assert message == (
        "GalileoWarning: column 'name' looks like an identifier: 30 different values in 30 rows; "
        "leave it out, or make it a float if it is a measurement"
    )
    assert warned({"name": names[:20]}) == []
    assert warned({"name": [*names, *names[:10]]}) == []
    assert warned({"width": np.arange(30.0)}) == []
    assert len(warned({"number": np.arange(30)})) == 1


def test_constant_columns() -> None:
    table = {"a": ["x", "x"], "b": [1.0, 1.0], "c": [None, None], "d": [np.nan, 1.0], "e": [1, 2]}
    assert warned(table) == [
        "ConstantColumnWarning: column 'a' is constant and is ignored",
        "ConstantColumnWarning: column 'b' is constant and is ignored",
        "ConstantColumnWarning: column 'c' is missing in every row and is ignored",
        "ConstantColumnWarning: column 'd' is constant and is ignored",
    ]
    assert issubclass(ConstantColumnWarning, GalileoWarning)


def test_a_missing_value_is_a_second_value_unless_it_is_ignored() -> None:
    assert warned({"a": ["x", None]}) == []
    assert len(warned({"a": ["x", None]}, missing="ignore")) == 1


def test_one_row_is_not_called_constant() -> None:
    assert warned({"a": ["x"]}) == []


def test_missing_values() -> None:
    columns = read({"a": ["x", None, "y"]})
    assert schema_of(columns).cardinalities == (3,)
    assert schema_of(columns, missing="ignore").attributes == (Categorical("a", ("x", "y")),)
    with pytest.raises(ParameterError, match="missing='drop'"):
        schema_of(columns, missing="drop")  # type: ignore[arg-type]


def test_no_attribute_is_empty() -> None:
    with pytest.warns(ConstantColumnWarning):
        schema = schema_of(read({"a": [None, None], "b": [np.nan, np.nan]}), missing="ignore")
    assert schema.cardinalities == (1, 1)
    with pytest.warns(ConstantColumnWarning):
        schema = schema_of(read({"b": np.array([np.nan, np.nan])}))
    assert schema.attributes == (Numeric("b", 0.0, 1.0),)


def test_parts_that_do_not_belong_together() -> None:
    numbers, words = summarise(read({"a": [1.5]})), summarise(read({"a": ["x"]}))
    with pytest.raises(TableError, match="column 'a': numbers in one part"):
        numbers + words
    with pytest.raises(TableError, match="the same columns"):
        numbers + summarise(read({"b": [1.5]}))
    missing = summarise(read({"a": [None]}))
    assert (numbers + missing).columns == (missing + numbers).columns == numbers.columns


def test_the_views_of_a_schema() -> None:
    schema = schema_of(read({"a": ["x", "y"], "b": [1.0, 2.0], "c": [3, 4]}))
    assert schema.names == ("a", "b", "c")
    assert [attribute.name for attribute in schema.categorical] == ["a", "c"]
    assert [attribute.name for attribute in schema.numeric] == ["b"]
    assert schema.cardinalities == (2, 2)
    assert schema.n_attributes == 3


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"missing": "category", "attributes": [{"kind": "numeric", "name": "a"}]},
        {"missing": "category", "attributes": [{"kind": "ordinal", "name": "a"}]},
        {
            "missing": "category",
            "attributes": [{"kind": "categorical", "name": "a", "values": [[]]}],
        },
        {"missing": "category", "attributes": [3]},
    ],
)
def test_what_is_no_schema_is_refused(data: Any) -> None:
    with pytest.raises(TableError):
        Schema.from_dict(data)
