"""Schemas: what is inferred, what is warned of, what is refused."""

import warnings
from typing import Any

import numpy as np
import pytest

from galileomix._table import Categorical, Numeric, read, summarise
from galileomix.errors import (
    ConstantColumnWarning,
    GalileoWarning,
    ParameterError,
    TableError,
)
from table.helpers import schema_of, summary_of


def warned(table: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        summary = summary_of(table)
        summary.warn(summary.schema())
    assert all(warning.filename == __file__ for warning in caught)
    return [f"{warning.category.__name__}: {warning.message}" for warning in caught]


def test_one_line_for_all_that_is_left_out() -> None:
    ids = [f"person {i}" for i in range(30)]
    story = [f"it was a long day number {i}" for i in range(30)]
    table = {"name": ids, "key": ids, "note": story, "width": np.arange(30) ** 2 / 7}
    assert warned({"name": ids}) == [
        "GalileoWarning: column 'name': an identifier, left out (name it in `categorical` to "
        "keep it)"
    ]
    assert warned(table) == [
        "GalileoWarning: 2 columns 'name', 'key': identifiers, left out (name them in "
        "`categorical` to keep them)",
        "GalileoWarning: column 'note': free text, left out (name it in `categorical` to keep it)",
    ]
    assert warned({"width": table["width"]}) == []


def test_constant_columns() -> None:
    table = {"a": ["x", "x"], "b": [1.0, 1.0], "c": [None, None], "d": [np.nan, 1.5], "e": [1, 2]}
    assert warned(table) == [
        "ConstantColumnWarning: column 'c': missing in every row, ignored",
        "ConstantColumnWarning: 3 columns 'a', 'b', 'd': constant, ignored",
    ]
    assert issubclass(ConstantColumnWarning, GalileoWarning)


def test_one_row_is_not_called_constant() -> None:
    assert warned({"a": ["x"]}) == []


def test_one_line_for_all_that_means_missing() -> None:
    table = {"a": ["NA", "x", "y"], "b": ["1.5", "?", "2.5"], "c": ["u", "v", "u"]}
    [note] = warned(table)
    assert note.startswith("GalileoWarning: 'NA', '?' in 2 columns mean missing (")


def test_missing_values() -> None:
    table = {"a": ["x", None, "y"]}
    assert schema_of(table).cardinalities == (3,)
    assert schema_of(table).columns[0].missing == pytest.approx(1 / 3)
    assert schema_of(table, missing="ignore").attributes == (Categorical("a", ("x", "y")),)
    with pytest.raises(ParameterError, match="missing='drop'"):
        schema_of(table, missing="drop")


@pytest.mark.filterwarnings("ignore::galileomix.ConstantColumnWarning")
def test_no_attribute_is_empty() -> None:
    schema = schema_of({"a": [None, None], "b": np.array([np.nan, np.nan])}, missing="ignore")
    assert schema.cardinalities == (1, 1)


def test_a_number_in_every_row_but_one() -> None:
    """One missing value more does not change what a column is."""
    for numbers in (np.arange(40) ** 2, np.arange(40) % 5, np.arange(40), np.arange(40) / 7):
        whole = schema_of_quietly({"x": numbers})
        holed = schema_of_quietly({"x": [None, *numbers[1:].tolist()]})
        as_floats = schema_of_quietly({"x": np.where(np.arange(40) == 0, np.nan, numbers)})
        assert whole.columns[0].type == holed.columns[0].type
        assert holed == as_floats


def schema_of_quietly(table: Any) -> Any:
    return summary_of(table).schema()


def test_parts_that_do_not_belong_together() -> None:
    numbers, words = summarise(read({"a": [1.5]})), summarise(read({"a": ["x"]}))
    with pytest.raises(TableError, match="column 'a': numbers in one part"):
        numbers + words
    with pytest.raises(TableError, match="the same columns"):
        numbers + summarise(read({"b": [1.5]}))
    missing = summarise(read({"a": [None]}))
    assert (numbers + missing).schema() == (missing + numbers).schema()


def test_what_the_columns_of_numbers_become() -> None:
    schema = schema_of({"a": ["x", "y"], "b": [1.0, 2.5], "c": [3, 4]})
    assert schema.names == ("a", "b", "c")
    assert schema.categorical == (Categorical("a", ("x", "y")), Categorical("c", (3, 4)))
    [number] = schema.numeric
    assert isinstance(number, Numeric)
    assert (number.name, number.scale) == ("b", 1.0)
    assert abs(number.center - 1.75) <= 1 / 256
