"""Blocks, unseen values, missing values."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from galileomix._table import BLOCK_ROWS, Categorical, Numeric, Schema, encode, read
from galileomix.errors import GalileoWarning, ParameterError, TableError

SCHEMA = Schema((Categorical("odor", ("foul", "none")), Numeric("width", 5.0, 2.0)))


def codes(table: Any, schema: Schema = SCHEMA, **options: Any) -> Any:
    [block] = encode(read(table), schema, **options)
    return block.codes.tolist()


def test_blocks_are_of_fixed_length() -> None:
    blocks = encode(
        read(np.zeros((2 * BLOCK_ROWS + 5, 3), int)), Schema(3 * (Categorical("x", (0, 1)),))
    )
    assert [len(block) for block in blocks] == [BLOCK_ROWS, BLOCK_ROWS, 5]
    assert all(block.codes.flags.c_contiguous for block in blocks)
    assert all(block.codes.shape == (len(block), 3) for block in blocks)
    assert all(block.numbers.shape == (len(block), 0) for block in blocks)
    assert all(block.weights.tolist() == [1.0] * len(block) for block in blocks)


def test_numbers_are_standardised() -> None:
    [block] = encode(read({"odor": ["none"] * 2, "width": [7.0, np.nan]}), SCHEMA)
    assert block.numbers.dtype == np.float64
    assert block.numbers[0, 0] == 1.0
    assert np.isnan(block.numbers[1, 0])


def test_unseen_values_are_left_out_with_one_warning() -> None:
    schema = Schema((Categorical("odor", ("foul", "none")), Categorical("cap", ("flat",))))
    table = {"odor": ["minty", "none", "minty", "sweet"], "cap": ["flat", "bell", "flat", "flat"]}
    with pytest.warns(GalileoWarning) as caught:
        assert codes(table, schema) == [[2, 0], [1, 1], [2, 0], [2, 0]]
    assert [str(warning.message) for warning in caught] == [
        "column 'odor': 3 cells with values never seen in fit ('minty', 'sweet'), ignored; "
        "column 'cap': 1 cell with values never seen in fit ('bell'), ignored"
    ]
    assert caught[0].filename != encode.__code__.co_filename


def test_unseen_values_can_be_an_error() -> None:
    table = {"odor": ["none", "minty"], "width": [1.0, 2.0]}
    message = "column 'odor', row 1: 'minty' was never seen in fit; known values are 'foul', 'none'"
    with pytest.raises(TableError, match=message):
        codes(table, unseen="error")
    with pytest.raises(ParameterError, match="unseen='explode'"):
        codes(table, unseen="explode")


def test_a_missing_value_that_fit_never_saw_is_unseen() -> None:
    table = {"odor": [None, "none"], "width": [1.0, 2.0]}
    with pytest.warns(GalileoWarning, match="a missing value"):
        assert codes(table) == [[2], [1]]
    with pytest.raises(TableError, match="column 'odor', row 0: a missing value was never seen"):
        codes(table, unseen="error")


def test_missing_values_can_be_ignored() -> None:
    table = {"odor": [None, "none"], "width": [1.0, 2.0]}
    schema = Schema(SCHEMA.attributes, missing="ignore")
    assert codes(table, schema, unseen="error") == [[2], [1]]


@pytest.mark.filterwarnings("error")
def test_categories_that_no_row_holds_are_not_unseen() -> None:
    table = pd.DataFrame({"odor": pd.Categorical(["none"], ["none", "minty"]), "width": [1.0]})
    assert codes(table, unseen="error") == [[1]]


@pytest.mark.filterwarnings("error")
def test_integers_that_a_missing_value_turned_into_floats_are_still_known() -> None:
    schema = Schema((Categorical("x", (1, 2, None)), Categorical("y", (False, True))))
    assert codes({"x": np.array([2.0, np.nan]), "y": [1, 0]}, schema) == [[1, 1], [2, 0]]


@pytest.mark.filterwarnings("error")
def test_a_numeric_attribute_takes_integers_and_numbers_as_text() -> None:
    for width in ([7, 9], np.array([7, 9], "int8"), ["7", "9.0"], [7, "9"]):
        [block] = encode(read({"odor": ["none"] * 2, "width": width}), SCHEMA)
        assert block.numbers[:, 0].tolist() == [1.0, 2.0]
    with pytest.raises(TableError, match="column 'width', row 1: 'wide' cannot be read as a num"):
        encode(read({"odor": ["none"] * 2, "width": [7, "wide"]}), SCHEMA)


def test_rows_of_no_weight_are_kept_to_predict() -> None:
    columns = read({"odor": ["none", "foul"], "width": [1.0, 2.0]})
    [block] = encode(columns, SCHEMA, np.array([0.0, 1.0]))
    assert block.weights.tolist() == [0.0, 1.0]
    assert len(block) == 2


def test_a_clean_table_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        codes({"odor": ["none", "foul"], "width": [1.0, 2.0]})


def test_a_table_that_was_not_aligned() -> None:
    with pytest.raises(TableError, match="1 columns for 2 attributes"):
        codes({"odor": ["none"]})
