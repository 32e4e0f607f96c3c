"""Columns of a CSV file that are numbers but for a word, an infinite one or spaces."""

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from galileomix import GalileoWarning, TableError
from galileomix._table import (
    Categorical,
    Folder,
    NumberColumn,
    Numeric,
    Rules,
    Schema,
    align,
    open_table,
    over_rows,
    prepare,
    read,
)
from table.helpers import schema_of

DECIMALS = [f"{number / 8 + 0.0625}" for number in range(300)]


def written(folder: Path, cells: Sequence[str], name: str = "table.csv") -> Path:
    path = folder / name
    path.write_text("x,c\n" + "".join(f"{cell},u\n{cell},v\n" for cell in cells))
    return path


def fitted(table: object, missing_values: Sequence[str] = ()) -> tuple[Schema, list[str]]:
    with warnings.catch_warnings(record=True) as caught, Folder() as folder:
        warnings.simplefilter("always")
        source = open_table(table, missing_values=missing_values)
        schema = prepare(source, folder, Rules(10**8)).schema
    assert all(warning.category is GalileoWarning for warning in caught)
    return schema, [str(warning.message) for warning in caught]


@pytest.mark.parametrize("place", [0, 150, 300])
@pytest.mark.parametrize("words", [["NA"], ["NaN"], ["n/a", "?"], ["NA", "inf"]])
def test_words_among_numbers_give_a_warning(tmp_path: Path, place: int, words: list[str]) -> None:
    path = written(tmp_path, [*DECIMALS[:place], *words, *DECIMALS[place:]])
    schema, notes = fitted(path)
    shown = ", ".join(map(repr, sorted(words)))
    n_words, n_cells = 2 * len(words), 2 * (300 + len(words))
    assert isinstance(schema.attributes[0], Categorical)
    assert notes == [
        f"column 'x': all but {n_words} of {n_cells} cells are numbers ({shown}): it is read as "
        f"categories; name them in missing_values to read numbers"
    ]
    schema, notes = fitted(path, words)
    assert isinstance(schema.attributes[0], Numeric)
    assert not notes


def test_the_word_may_be_in_another_file(tmp_path: Path) -> None:
    written(tmp_path, DECIMALS, "1.csv")
    written(tmp_path, ["NA"], "2.csv")
    for table in (tmp_path, [tmp_path / "2.csv", tmp_path / "1.csv"]):
        _, notes = fitted(table)
        assert len(notes) == 1
        assert "all but 2 of 602 cells are numbers ('NA')" in notes[0]


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "3", "NA"],
        ["007.5", "1.5", "2.5", "NA"],
        ["a", "b", "c", "d", "1.5", "2.5", "3.5", "4.5", "5.5", "6.5", "7.5", "8.5", "9.5"],
        ["low", "high", "1.5", "2.5"],
        ["true", "false"],
    ],
)
def test_codes_give_none(tmp_path: Path, cells: list[str]) -> None:
    assert fitted(written(tmp_path, cells))[1] == []


@pytest.mark.parametrize("word", ["inf", "-inf", "Infinity", "1e999"])
@pytest.mark.parametrize("place", [0, 200])
def test_an_infinite_number_among_others_is_refused(tmp_path: Path, word: str, place: int) -> None:
    path = written(tmp_path, [*DECIMALS[:place], word, *DECIMALS[place:]])
    message = rf"table.csv', line {2 * place + 2}, column 'x': -?inf is infinite"
    with pytest.raises(TableError, match=message):
        fitted(path)
    with pytest.raises(TableError, match=message):
        read(path)
    assert isinstance(fitted(path, [word])[0].attributes[0], Numeric)
    named = read(path, categorical=["x", "c"]).columns[0]
    assert not isinstance(named, NumberColumn)


def test_whether_it_is_refused_does_not_depend_on_the_order(tmp_path: Path) -> None:
    written(tmp_path, [*DECIMALS, "inf"], "1.csv")
    written(tmp_path, ["word"], "2.csv")
    schema, notes = fitted(tmp_path)
    assert isinstance(schema.attributes[0], Categorical)
    assert "('inf', 'word')" in notes[0]


def test_spaces_around_numbers_and_names(tmp_path: Path) -> None:
    path = tmp_path / "spaces.csv"
    path.write_text("a, x , n,flag, word\n1, 1.5, 1, true, a\n2,2.5 ,2,true,b\n1, ,\t1, false, a\n")
    columns = read(path)
    assert columns.names == ("a", "x", "n", "flag", "word")
    number = columns.columns[1]
    assert isinstance(number, NumberColumn)
    np.testing.assert_array_equal(number.values, [1.5, 2.5, np.nan])
    schema = schema_of(columns)
    assert [attribute.values for attribute in schema.categorical] == [
        (1, 2),
        (1, 2),
        (False, True),
        (" a", "b"),
    ]
    for other in (path, {"a": [1], "x": [1.5], "n": [2], "flag": [True], "word": ["b"]}):
        source = align(open_table(other), schema, named=True, estimator="Galileo")
        codes = over_rows(source, schema, lambda block: block.codes, "error")
        assert codes[-1].tolist() == ([0, 0, 0, 0] if other == path else [0, 1, 1, 1])
    assert repr(fitted(path)[0]) == repr(schema)


def test_a_word_with_spaces_around_it_can_be_named_missing(tmp_path: Path) -> None:
    path = tmp_path / "spaces.csv"
    path.write_text("a, x\nu, 1.5\nv, NA\nu,NA\n")
    number = read(path, missing_values=["NA"]).columns[1]
    assert isinstance(number, NumberColumn)
    np.testing.assert_array_equal(number.values, [1.5, np.nan, np.nan])


def test_what_is_no_number_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = written(tmp_path, ["1.5", "NA"])
    with pytest.raises(TableError, match=re.escape("line 4, column 'x': 'NA' cannot be read")) as e:
        read(path, categorical=["c"])
    assert "name it in `missing_values`" in str(e.value)
