"""Laws of the table layer, as properties."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table import (
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
from galileomix._table.infer.moments import Moments, exact_sum
from table.helpers import schema_of

texts = st.one_of(st.none(), st.sampled_from(["a", "b", "c", "", "Ä"]))
mixed = st.one_of(texts, st.booleans(), st.integers(), st.floats(-4, 4, width=16))
floats = st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6))
wild = st.floats(-1e80, 1e80)
tables = st.lists(st.tuples(texts, mixed, floats), min_size=1, max_size=40)


def columns_of(rows: list[Any]) -> Any:
    """Read mixed cells as categories, also where all of them happen to be floats."""
    return read(rows, categorical=[0, 1])


@given(tables, st.data())
def test_the_summary_of_a_table_is_the_sum_of_its_parts(rows: list[Any], data: Any) -> None:
    weights = np.array(data.draw(st.lists(st.floats(0, 9), min_size=40, max_size=40)))[: len(rows)]
    cut = data.draw(st.integers(0, len(rows)))
    columns = columns_of(rows)
    whole = summarise(columns, weights)
    parts = [
        summarise(columns.rows(part), weights[part]) for part in (slice(cut), slice(cut, None))
    ]
    assert parts[0] + parts[1] == whole
    assert parts[1] + parts[0] == whole
    assert whole + Summary() == Summary() + whole == whole
    assert (parts[0] + parts[1]).schema() == whole.schema()


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows: list[Any], random: Any) -> None:
    shuffled = random.sample(rows, len(rows))
    assert repr(summarise(columns_of(rows)).schema()) == repr(
        summarise(columns_of(shuffled)).schema()
    )


@given(tables, st.data())
def test_a_weight_of_two_is_the_row_twice(rows: list[Any], data: Any) -> None:
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    repeated = np.repeat(np.arange(len(rows)), counts)
    columns = columns_of(rows)
    weighted = summarise(columns, np.array(counts, dtype=float)).schema()
    assert weighted == summarise(columns.rows(repeated)).schema()


@given(tables)
def test_decoding_gives_back_what_was_encoded(rows: list[Any]) -> None:
    columns = columns_of(rows)
    schema = summarise(columns).schema()
    [block] = encode(columns, schema, unseen="error")
    result = decode(block.codes, block.numbers, schema)
    expected = [None if cell != cell else cell for _, cell, _ in rows]
    assert result["x0"] == [cell for cell, _, _ in rows]
    assert result["x1"] == expected
    assert list(map(type, result["x1"])) == list(map(type, expected))
    np.testing.assert_allclose(result["x2"], [cell for *_, cell in rows], rtol=1e-9, atol=1e-9)


@given(tables, st.sampled_from(["category", "ignore"]))
def test_a_schema_survives_json(rows: list[Any], missing: Any) -> None:
    schema = summarise(columns_of(rows)).schema(missing)
    again = Schema.from_dict(json.loads(json.dumps(schema.to_dict())))
    assert again == schema
    assert repr(again) == repr(schema)  # where 1, 1.0 and True differ


@given(st.lists(wild, max_size=30))
def test_sums_are_exact(terms: list[float]) -> None:
    total = sum(map(Fraction, terms), Fraction(0))
    assert Fraction(exact_sum(np.array(terms, dtype=float)), 2**1126) == total


@given(st.lists(st.tuples(floats, st.floats(0.01, 100)), min_size=2, max_size=30))
def test_the_scale_is_the_power_of_two_at_or_above_the_deviation(pairs: list[Any]) -> None:
    moments = Moments.of(*np.array(pairs).T)
    center, scale = moments.center_and_scale()
    known = [(Fraction(x), Fraction(w)) for x, w in pairs if x == x]
    if len({x for x, _ in known}) < 2:
        assert scale == 1.0
        return
    total = sum(w for _, w in known)
    mean = sum(w * x for x, w in known) / total
    variance = sum(w * (x - mean) ** 2 for x, w in known) / total
    assert np.log2(scale) == round(np.log2(scale))
    assert variance <= Fraction(scale) ** 2
    if moments.high - moments.low > 1e-100:  # smaller ones are scaled by their range
        assert variance > Fraction(scale / 2) ** 2
    assert abs(Fraction(center) - mean) <= Fraction(scale) / 512 + abs(mean) / 2**53


def test_a_large_mean_hides_no_small_deviation() -> None:
    seconds = 1.7e12 + np.tile([-1.0, 1.0], 500)
    for weights in (np.ones(1000), np.full(1000, 0.1)):
        center, scale = Moments.of(seconds, weights).center_and_scale()
        assert (center, scale) == (1.7e12, 1.0)


def test_numbers_too_small_to_square_still_get_a_scale() -> None:
    _, scale = Moments.of(np.array([1e-200, 3e-200]), np.ones(2)).center_and_scale()
    assert 1e-200 <= scale <= 2e-200


def test_rows_of_no_weight_leave_no_trace() -> None:
    rows = [["a", 1.0], ["b", 2.0], ["z", 1e50], [None, 3.0]]
    kept, weights = [rows[0], rows[1], rows[3]], np.array([1.0, 1.0, 0.0, 1.0])
    with Folder() as folder:
        weighted = prepare(open_table(rows), folder, Rules(10**9), weights)
    schema = schema_of(read(kept))
    assert weighted.schema == schema
    [block], [without] = weighted.blocks, encode(read(kept), schema, unseen="error")
    np.testing.assert_array_equal(block.codes, without.codes)
    np.testing.assert_array_equal(block.numbers, without.numbers)
    np.testing.assert_array_equal(block.weights, without.weights)
