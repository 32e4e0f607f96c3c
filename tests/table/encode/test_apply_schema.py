"""Another table by a fitted schema: its columns found, by name or by position."""

import numpy as np
import pytest

from galileomix._table import (
    Categorical,
    Numeric,
    Schema,
    align,
    decode,
    open_table,
    over_rows,
)
from galileomix.errors import TableError
from table.helpers import summary_of

SCHEMA = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))


def test_columns_are_found_by_name() -> None:
    new = open_table({"note": ["x"], "width": [1.0], "odor": ["none"]})
    assert align(new, SCHEMA, named=True, estimator="Galileo").names == ("odor", "width")
    with pytest.raises(TableError, match="yet now missing:\n- odor\n- width\n"):
        align(open_table({"note": ["x"]}), SCHEMA, named=True, estimator="Galileo")


@pytest.mark.parametrize("named", [True, False])
def test_columns_without_names_are_found_by_position(named: bool) -> None:
    two, three = open_table([["none", 1.0]]), open_table([["none", 1.0, 2.0]])
    assert align(two, SCHEMA, named=named, estimator="Galileo").names == two.names
    message = r"X has 3 features, but Galileo is expecting 2 features as input\."
    with pytest.raises(TableError, match=message):
        align(three, SCHEMA, named=named, estimator="Galileo")


def test_fit_without_names_takes_a_frame_by_position() -> None:
    new = open_table({"b": ["none"], "a": [1.0]})
    assert align(new, SCHEMA, named=False, estimator="Galileo").names == ("b", "a")


def test_columns_that_were_left_out_at_fit_need_not_be_there() -> None:
    ids = [f"r{i}" for i in range(30)]
    table = {"name": ids, "odor": ["none", "foul"] * 15, "width": np.arange(30) ** 2 / 7}
    schema = summary_of(table).schema()
    assert [column.type for column in schema.columns] == ["identifier", "category", "number"]
    new = open_table({"width": [1.0], "odor": ["none"]})
    assert align(new, schema, named=True, estimator="Galileo").names == ("odor", "width")
    by_position = open_table([["r1", "none", 1.0]])
    assert align(by_position, schema, named=False, estimator="Galileo").names == ("x1", "x2")
    with pytest.raises(TableError, match="X has 2 features, but Galileo is expecting 3"):
        align(open_table([["none", 1.0]]), schema, named=False, estimator="Galileo")


def test_text_is_read_as_it_was_at_fit() -> None:
    """What a new table would mean alone does not matter."""
    table = {"pay": ["1,5", "2,25", "-"], "day": ["31/01/2020", "03/04/2020", "?"]}
    schema = summary_of(table).schema()
    new = {"pay": ["1,234", "-", "3"], "day": ["03/04/2020", "?", "2020-01-31"]}
    source = align(open_table(new), schema, named=True, estimator="Galileo")
    numbers = over_rows(source, schema, lambda block: block.numbers)
    found = decode(np.empty((3, 0), int), numbers, schema)
    np.testing.assert_allclose(found["pay"], [1.234, np.nan, 3.0])
    assert [str(day)[:10] for day in found["day"]] == ["2020-04-03", "NaT", "2020-01-31"]
    bad = align(open_table({"pay": ["1.2.3"], "day": ["?"]}), schema, named=True, estimator="x")
    with pytest.raises(
        TableError, match=r"column 'pay', row 0: '1.2.3' cannot be read as a number"
    ):
        over_rows(bad, schema, lambda block: block.numbers, unseen="error")
