"""How the texts of a column are read, once it is decided."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from galileomix._table import cells
from galileomix._table.column import TextColumn
from galileomix._table.text.text_format import TextFormat
from galileomix.errors import TableError


def column(*texts: str | None) -> TextColumn:
    known = list(dict.fromkeys(text for text in texts if text is not None))
    codes = [-1 if text is None else known.index(text) for text in texts]
    return TextColumn("x", pa.array(known, pa.string()), np.array(codes))


def read(how: TextFormat, *texts: str | None) -> list[Any]:
    return [None if cell != cell else cell for cell in cells(how.read(column(*texts))).tolist()]


def test_each_type() -> None:
    assert read(TextFormat("number"), "1.5", None, " 2 ", "", "$1,200") == [
        1.5,
        None,
        2,
        None,
        1200,
    ]
    assert read(TextFormat("number", ","), "1,5", "1.200") == [1.5, 1200]
    assert read(TextFormat("boolean"), "true", "FALSE", None, " ") == [True, False, None, None]
    assert read(TextFormat("text"), "a", None, "-") == ["a", None, "-"]
    assert read(TextFormat("date", layout="time"), "12:30", "?" * 0) == [45000.0, None]


def test_what_means_missing() -> None:
    for how in ("number", "text", "boolean"):
        assert read(TextFormat(how, missing=("?",)), "?", " ? ", None) == [None] * 3  # type: ignore[arg-type]


def test_a_date_may_also_be_written_as_we_write_it() -> None:
    how = TextFormat("date", layout="day.month.year")
    assert read(how, "31.01.2020", "2020-01-31") == [1580428800.0, 1580428800.0]


@pytest.mark.parametrize(
    ("how", "text", "what"),
    [
        (TextFormat("number"), "wide", "a number"),
        (TextFormat("number"), "1,5", "a number"),
        (TextFormat("boolean"), "maybe", "true or false"),
        (TextFormat("date", layout="month/day/year"), "31/01/2020", "a date"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_to_do(
    how: TextFormat, text: str, what: str
) -> None:
    with pytest.raises(TableError, match=rf"'{text}' cannot be read as {what}") as caught:
        how.read(column(None, "", text))
    assert (caught.value.column, caught.value.row) == ("x", 2)
    assert "`missing_values`" in str(caught.value)


def test_a_text_that_no_row_holds_is_no_error() -> None:
    unused = TextColumn("x", pa.array(["1", "wide"]), np.array([0, 0]))
    assert cells(TextFormat("number").read(unused)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "how",
    [
        TextFormat(),
        TextFormat("number", ",", missing=("-", "x")),
        TextFormat("date", layout="year-month"),
        TextFormat("boolean"),
    ],
)
def test_there_and_back(how: TextFormat) -> None:
    assert TextFormat.from_dict(how.to_dict()) == how
    assert TextFormat().to_dict() == {}
