"""Another table by a fitted schema: its columns found, by name or by position."""

import pytest

from galileomix._table import Categorical, Numeric, Schema, align, open_table
from galileomix.errors import TableError

SCHEMA = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))


def test_columns_are_found_by_name() -> None:
    new = open_table({"note": ["x"], "width": [1.0], "odor": ["none"]})
    assert align(new, SCHEMA, named=True, estimator="Galileo").names == ("odor", "width")
    with pytest.raises(TableError, match="yet now missing:\n- odor\n- width\n"):
        align(open_table({"note": ["x"]}), SCHEMA, named=True, estimator="Galileo")


@pytest.mark.parametrize("named", [True, False])
def test_columns_without_names_are_found_by_position(named: bool) -> None:
    two, three = open_table([["none", 1.0]]), open_table([["none", 1.0, 2.0]])
    assert align(two, SCHEMA, named=named, estimator="Galileo") is two
    message = r"X has 3 features, but Galileo is expecting 2 features as input\."
    with pytest.raises(TableError, match=message):
        align(three, SCHEMA, named=named, estimator="Galileo")


def test_fit_without_names_takes_a_frame_by_position() -> None:
    new = open_table({"b": ["none"], "a": [1.0]})
    assert align(new, SCHEMA, named=False, estimator="Galileo").names == ("b", "a")
