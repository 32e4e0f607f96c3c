"""Laws of the table layer, as properties."""

import json
import warnings
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from galileomix._table import (
    AttributeRules,
    Folder,
    Rules,
    Schema,
    Summary,
    decode,
    encode,
    open_table,
    prepare,
    read,
    summarise,
)
from galileomix._table.infer.make_attribute import center_and_scale
from table.helpers import schema_of, summary_of, written

SLOW = settings(deadline=None)  # the machine may be busy

texts = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "", "Ä"]))
mixed = st.one_of(texts, st.booleans(), st.integers(), st.floats(-4, 4, width=16))
floats = st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6))
tables = st.lists(st.tuples(texts, mixed, floats), min_size=1, max_size=40)
# What a cell of a CSV file may be: few of one kind, so that columns of one kind are common.
words = st.sampled_from(
    [
        *("1", "2", "-3", "1.5", "1e3", "01", "9" * 20, "$2", "1,200", "5 kg", "5%", "+1", "1,5"),
        *("x", "y", "z", "u", "true", "false", "TRUE", "?", "-", "+", "NA", ""),
        *("2020-01-31", "31/01/2020", "03/04/2020", "12:30", "2020Q1", "1 days", "20200131"),
    ]
)
columns_of_text = st.lists(words, max_size=4, unique=True).flatmap(
    lambda few: st.lists(st.sampled_from([*few, "", "1"]), min_size=1, max_size=12)
)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def schemas_of_parts(parts: list[Any]) -> Schema:
    """Return the schema of tables that are parts of one, looked at again as long as they differ."""
    evidence = None
    while True:
        found = [summarise(read(part), evidence=evidence) for part in parts]
        total = sum(found, Summary())
        if not total.mixed:
            return total.schema()
        assert evidence is None, "a second look is enough"
        evidence = total.evidence


@SLOW
@given(tables, st.data())
def test_the_summary_of_a_table_is_the_sum_of_its_parts(rows: list[Any], data: Any) -> None:
    weights = np.array(data.draw(st.lists(st.floats(0, 9), min_size=40, max_size=40)))[: len(rows)]
    cut = data.draw(st.integers(0, len(rows)))
    columns = read(rows)
    whole = summarise(columns, weights)
    parts = [
        summarise(columns.rows(part), weights[part]) for part in (slice(cut), slice(cut, None))
    ]
    assert (parts[0] + parts[1]).schema() == (parts[1] + parts[0]).schema() == whole.schema()
    assert whole + Summary() == Summary() + whole == whole
    assert (parts[0] + parts[1]).n_rows == whole.n_rows


@SLOW
@given(columns_of_text, st.data())
def test_what_text_is_does_not_depend_on_its_order_or_parts(cells: list[str], data: Any) -> None:
    whole = summary_of({"x": cells}).schema()
    order = data.draw(st.permutations(cells))
    assert repr(summary_of({"x": order}).schema()) == repr(whole)
    cuts = sorted(data.draw(st.lists(st.integers(1, len(cells)), max_size=3, unique=True)))
    bounds = [0, *(cut for cut in cuts if cut < len(cells)), len(cells)]
    parts = [{"x": order[a:b]} for a, b in pairwise(bounds)]
    assert repr(schemas_of_parts(parts)) == repr(whole)


@settings(max_examples=40, deadline=None)
@given(columns_of_text)
def test_text_is_the_same_in_a_frame_and_in_files(tmp_path_factory: Any, cells: list[str]) -> None:
    folder: Path = tmp_path_factory.mktemp("same")
    table = {"x": cells, "g": ["u", "v"] * (len(cells) // 2) + ["u"] * (len(cells) % 2)}
    text = "x,g\n" + "".join(f'"{x}",{g}\n' for x, g in zip(*table.values(), strict=True))
    parquet.write_table(pa.table(table), folder / "t.parquet")
    expected = repr(schema_of(table))
    forms = (
        written(folder, text),
        folder / "t.parquet",
        pd.DataFrame(table),
        pl.DataFrame(table),
        [pa.table(table)[:1], pa.table(table)[1:]],
    )
    for form in forms:
        assert repr(schema_of(form)) == expected


@SLOW
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows: list[Any], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    assert repr(summary_of(rows).schema()) == repr(summary_of(shuffled).schema())


@SLOW
@given(tables, st.data())
def test_a_weight_of_two_is_the_row_twice(rows: list[Any], data: Any) -> None:
    """In the attributes: what a column is depends on rows, however much each weighs."""
    counts = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    repeated = np.repeat(np.arange(len(rows)), counts)
    columns = read(rows)
    weighted = summarise(columns, np.array(counts, dtype=float)).schema()
    again = summarise(columns.rows(repeated)).schema()
    assert [column.type for column in weighted.columns] == [column.type for column in again.columns]
    for one, two in zip(weighted.numeric, again.numeric, strict=True):
        assert (one.center, one.scale, one.transform) == (two.center, two.scale, two.transform)
    assert weighted.categorical == again.categorical


@SLOW
@given(tables)
def test_decoding_gives_back_what_was_encoded(rows: list[Any]) -> None:
    columns = read(rows)
    schema = summarise(columns).schema()
    columns = columns.select(schema.names)
    [block] = encode(columns, schema, unseen="error")
    result = decode(block.codes, block.numbers, schema)
    for name, found in result.items():
        expected = [row[int(name[1:])] for row in rows]
        expected = [None if cell in ("", None) or cell != cell else cell for cell in expected]
        found = [None if cell != cell else cell for cell in found]
        assert [cell is None for cell in found] == [cell is None for cell in expected]
        largest = max((abs(x) for x in expected if isinstance(x, int | float)), default=0.0)
        for one, two in zip(found, expected, strict=True):
            assert one == two or one == pytest.approx(two, rel=1e-9, abs=1e-9 * largest)


@SLOW
@given(tables, st.sampled_from(["category", "ignore"]))
def test_a_schema_survives_json(rows: list[Any], missing: Any) -> None:
    schema = summary_of(rows).schema(AttributeRules(missing))
    again = Schema.from_dict(json.loads(json.dumps(schema.to_dict())))
    assert again == schema
    assert repr(again) == repr(schema)  # where 1, 1.0 and True differ


@SLOW
@given(columns_of_text)
def test_how_text_is_read_survives_json(cells: list[str]) -> None:
    schema = summary_of({"x": cells}).schema()
    assert Schema.from_dict(json.loads(json.dumps(schema.to_dict()))) == schema


@SLOW
@given(columns_of_text)
def test_what_is_read_at_fit_is_read_again(cells: list[str]) -> None:
    """Every cell of the fitted table has a code or a number, and is missing where it was."""
    columns = read({"x": cells})
    summary = summarise(columns)
    schema = summary.schema()
    if not schema.attributes:
        return
    [block] = encode(columns, schema, unseen="error")
    gone = np.isnan(block.numbers[:, 0]) if schema.numeric else None
    if gone is None:
        missing = np.array([value is None for value in schema.categorical[0].values])
        gone = missing[block.codes[:, 0]]
    assert np.count_nonzero(gone) == round(schema.columns[0].missing * len(cells))


@SLOW
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(0.01, 100)), min_size=2, max_size=30))
def test_the_scale_is_the_power_of_two_at_or_above_the_deviation(pairs: list[Any]) -> None:
    x, weights = np.array(pairs).T
    shares = weights / weights.sum()
    center, scale = center_and_scale(x, shares)
    if len(set(x.tolist())) < 2:
        assert scale == 1.0
        return
    exact = [(Fraction(value), Fraction(share)) for value, share in zip(x, shares, strict=True)]
    total = sum(share for _, share in exact)
    mean = sum(share * value for value, share in exact) / total
    variance = float(sum(share * (value - mean) ** 2 for value, share in exact) / total)
    assert np.log2(scale) == round(np.log2(scale))
    assert variance <= scale**2 * (1 + 1e-9)
    if variance > 1e-200:  # smaller ones are scaled by their range
        assert variance >= (scale / 2) ** 2 * (1 - 1e-9)
    assert abs(Fraction(center) - mean) <= Fraction(scale) / 256


def test_a_large_mean_hides_no_small_deviation() -> None:
    seconds = 1.7e12 + np.array([-1.0, 1.0])
    assert center_and_scale(seconds, np.array([0.5, 0.5])) == (1.7e12, 1.0)


def test_numbers_too_small_to_square_still_get_a_scale() -> None:
    _, scale = center_and_scale(np.array([1e-200, 3e-200]), np.array([0.5, 0.5]))
    assert 1e-200 <= scale <= 2e-200


def test_rows_of_no_weight_leave_no_trace() -> None:
    rows = [["a", 1.5], ["b", 2.0], ["z", 1e50], [None, 3.0]]
    kept, weights = [rows[0], rows[1], rows[3]], np.array([1.0, 1.0, 0.0, 1.0])
    with Folder() as folder:
        weighted = prepare(open_table(rows), folder, Rules(10**9), weights)
    schema = schema_of(read(kept))
    assert weighted.schema == schema
    [block], [without] = weighted.blocks, encode(read(kept), schema, unseen="error")
    np.testing.assert_array_equal(block.codes, without.codes)
    np.testing.assert_array_equal(block.numbers, without.numbers)
    np.testing.assert_array_equal(block.weights, without.weights)
