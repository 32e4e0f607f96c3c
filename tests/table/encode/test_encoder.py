"""Blocks, unseen values, missing values."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from galileomix._table import (
    BLOCK_ROWS,
    OTHER,
    Categorical,
    ColumnType,
    Numeric,
    Schema,
    decode,
    encode,
    read,
)
from galileomix._table.text.text_format import TextFormat
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
        encode(read({"odor": ["none"] * 2, "width": [7, "wide"]}), SCHEMA, unseen="error")


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


def test_rare_values_are_one_of_the_others() -> None:
    schema = Schema((Categorical("tag", ("a", "b", OTHER, None), pooled=True),))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert codes({"tag": ["a", "rare", None, "never seen"]}, schema) == [[0], [2], [3], [2]]


def test_a_spike_is_a_code_and_no_number() -> None:
    schema = Schema((Numeric("rain", 0.0, 1.0, transform="log", spike=0.0),))
    [block] = encode(read({"rain": [0.0, np.e, np.nan, 1.0]}), schema)
    assert block.codes[:, 0].tolist() == [0, 1, 2, 1]
    np.testing.assert_allclose(block.numbers[:, 0], [np.nan, 1.0, np.nan, 0.0], atol=1e-15)
    result = decode(block.codes, block.numbers, schema)
    np.testing.assert_allclose(result["rain"], [0.0, np.e, np.nan, 1.0])


def test_booleans_and_integers_as_text() -> None:
    formats = (TextFormat("boolean", missing=("?",)), TextFormat("number"))
    columns = tuple(
        ColumnType(name, "category", "", how) for name, how in zip("ab", formats, strict=True)
    )
    schema = Schema(
        (Categorical("a", (False, True, None)), Categorical("b", (1, 2))), columns=columns
    )
    table = {"a": ["TRUE", "false", " True", "?"], "b": ["1", "2.0", " 2", "1"]}
    assert codes(table, schema, unseen="error") == [[1, 0], [0, 1], [1, 1], [2, 0]]
    with pytest.raises(TableError, match="column 'a', row 1: 'maybe' cannot be read as true or fa"):
        codes({"a": ["true", "maybe"], "b": ["1", "1"]}, schema, unseen="error")
