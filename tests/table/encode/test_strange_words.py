"""What a new table writes for missing is read as in fit, whether or not fit met it."""

import warnings

import numpy as np
import pytest
from tests.table.helpers import summary_of

from galileomix._table import MissingValues, Schema, align, open_table, over_rows, rows_and_blocks
from galileomix.errors import GalileoWarning, TableError

FITTED = {
    "rain": [str(1.5 + tenth / 10) for tenth in range(60)],
    "day": ["2020-01-31", "2020-04-03", "2021-05-06"] * 20,
    "code": ["1", "2", "3"] * 20,
    "sold": ["true", "false", "true"] * 20,
    "size": ["S", "L", "M"] * 20,
}


@pytest.fixture(scope="module")
def schema() -> Schema:
    return summary_of(FITTED).schema()


def row(**cells: object) -> dict[str, list[object]]:
    return {name: [cells.get(name, values[0])] for name, values in FITTED.items()}


def known(schema: Schema, table: object, usual: bool = True) -> dict[str, bool]:
    """Return of the columns of one row whether they hold something that fit knows."""
    opened = open_table(table, missing=MissingValues(usual=usual))
    source = align(opened, schema, named=True, estimator="Galileo")
    [(_, block, unseen)] = rows_and_blocks(source, schema, "ignore")
    assert not unseen.any()
    held = {}
    for name, (code, number) in zip(schema.names, schema.places, strict=True):
        if number is not None:
            held[name] = not np.isnan(block.numbers[0, number])
        else:
            assert code is not None
            held[name] = bool(block.codes[0, code] < schema.cardinalities[code])
    return held


@pytest.mark.parametrize("column", FITTED)
@pytest.mark.parametrize("sign", ["?", "-", " . "])
def test_signs_that_fit_did_not_meet_mean_missing(schema: Schema, column: str, sign: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        held = known(schema, row(**{column: sign}))
    assert [name for name, there in held.items() if not there] == [column]


def test_signs_in_a_column_of_objects_mean_missing_too(schema: Schema) -> None:
    table = {**row(), "rain": [1.5, "?"], "code": [2, "-"]}
    table = {name: [*cells, *cells][:2] for name, cells in table.items()}
    source = align(open_table(table), schema, named=True, estimator="Galileo")
    numbers = over_rows(source, schema, lambda block: block.numbers)
    assert np.isnan(numbers[:, 0]).tolist() == [False, True]
    codes = over_rows(source, schema, lambda block: block.codes)
    assert (codes[:, 0] == schema.cardinalities[0]).tolist() == [False, True]


def test_signs_are_values_where_fit_says_so_or_other_values_are_signs(schema: Schema) -> None:
    source = open_table(row(size="?"), missing=MissingValues(usual=False))
    aligned = align(source, schema, named=True, estimator="Galileo")
    [(_, _, unseen)] = rows_and_blocks(aligned, schema, "ignore")
    assert unseen.sum() == 1
    with pytest.warns(
        GalileoWarning, match=r"column 'rain': 1 cell .* \('\?'\), taken for missing"
    ):
        known(schema, row(rain="?"), usual=False)
    signs = summary_of({"charge": ["+", "++", "+"] * 20}).schema()
    aligned = align(open_table({"charge": ["-"]}), signs, named=True, estimator="Galileo")
    [(_, _, unseen)] = rows_and_blocks(aligned, signs, "ignore")
    assert unseen.all()


def test_few_words_among_numbers_are_missing_with_a_note(schema: Schema) -> None:
    with pytest.warns(GalileoWarning) as caught:
        assert not known(schema, row(rain="<1"))["rain"]
    [note] = caught
    assert str(note.message) == (
        "column 'rain': 1 cell that cannot be read as a number ('<1'), taken for missing"
    )


def test_many_words_or_an_error_that_is_wanted(schema: Schema) -> None:
    words = ["a", "b", "a", "c", "d"]
    table = {name: cells * 5 for name, cells in row().items()} | {"rain": words}
    source = align(open_table(table), schema, named=True, estimator="Galileo")
    with pytest.raises(TableError, match=r"column 'rain', row 4: 'd' cannot .* no more than 3"):
        over_rows(source, schema, lambda block: block.numbers)
    with pytest.raises(TableError, match=r"row 0: 'a' cannot be read as a number$"):
        over_rows(source, schema, lambda block: block.numbers, unseen="error")
