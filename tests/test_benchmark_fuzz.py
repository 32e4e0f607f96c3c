"""A small fixed share of the fuzzer; `python -m benchmarks fuzz` runs as much as one likes."""

import datetime
import itertools
import math
import sys

import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")
pytest.importorskip("polars", reason="tables come in its frames too")

from benchmarks.fuzz.cases import Case, drawn
from benchmarks.fuzz.csv_files import verdict_of_file
from benchmarks.fuzz.forged import verdict_of_model
from benchmarks.fuzz.forms import FORMS, as_held, in_form, types_of
from benchmarks.fuzz.laws import are_equals, verdict
from benchmarks.fuzz.oracle import log_density
from benchmarks.fuzz.watched import Worker

from galileomix._fitted.results import Step

TABLES, FILES, MODELS = 25, 150, 120


@pytest.mark.parametrize("number", range(TABLES))
def test_random_tables_keep_the_laws(number):
    case = drawn(0, number)
    _, broken = verdict(case)
    assert broken == [], f"{case.form}, {case.parameters}"


HALVES = ["a", "b"] * 10
LINE = [0.1 * a for a in range(20)]
BROKEN_ONCE = {
    "a constant number": ({"x": [1.0] * 20, "g": HALVES}, None),
    "a multiple": ({"x": LINE, "y": [3e9 * x for x in LINE], "z": [x + 1e6 for x in LINE]}, None),
    "numbers at the end": ({"x": [(-1) ** a * (1e90 + 5e88 * a) for a in range(20)]}, None),
    "the same twice": ({"g": HALVES, "h": HALVES, "x": LINE, "y": LINE}, None),
    "values of no weight": (
        {"g": ["a", "b", "c", "d"] * 5, "x": [*LINE[:-1], 1e80]},
        [1.0, 1.0, 0.0, 0.0] * 5,
    ),
    "weights far apart": ({"g": HALVES, "x": LINE}, [1e-6, 1.0, 1e12, 0.0] * 5),
}


@pytest.mark.parametrize("change", ["rows", "none"])
@pytest.mark.parametrize("name", BROKEN_ONCE)
def test_what_was_broken_once_keeps_the_laws(name, change):
    columns, weights = BROKEN_ONCE[name]
    parameters = {"effort": 0.05, "random_state": 0}
    assert verdict(Case(columns, "dict", weights, parameters, change, 0)) == ("fitted", [])


def test_random_csv_files_are_read_as_pandas_reads_them():
    found = {number: verdict_of_file(0, number)[1] for number in range(FILES)}
    assert {number: wrong for number, wrong in found.items() if wrong} == {}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_damaged_and_forged_model_files_are_refused_or_work():
    found = {number: verdict_of_model(0, number) for number in range(MODELS)}
    assert {number: wrong for number, (_, wrong) in found.items() if wrong} == {}
    assert {outcome for outcome, _ in found.values()} == {"refused", "loaded"}


def test_the_same_cells_in_another_order_may_be_another_table():
    day = datetime.datetime(2024, 2, 29)
    one, two = (in_form({"x": cells}, "polars") for cells in ([day, math.nan], [math.nan, day]))
    assert types_of(one) != types_of(two)
    for form in FORMS:
        one, two = (in_form({"x": cells}, form) for cells in (["a", "b"], ["b", "a"]))
        assert types_of(one) == types_of(two)


def test_beside_text_polars_holds_text():
    columns = {"x": ["a", math.nan, None], "y": [1.0, math.nan, None]}
    held = as_held(columns, in_form(columns, "polars"))
    assert held == {"x": ["a", "NaN", None], "y": columns["y"]}
    assert as_held(columns, in_form(columns, "pandas")) == columns


def test_models_of_two_sizes_are_as_good_where_the_criterion_is_the_same():
    one, two, three = (
        Step(4, 2, -3.0, 9.0, 7.0, 1.0),
        Step(5, 2, -2.0, 8.0, 7.0, 1.0),
        Step(5, 2, -2.5, 8.0, 7.0, 1.0),
    )
    assert are_equals(one, two, {}, 1e-4) and not are_equals(one, two, {"criterion": "aic"}, 1e-4)
    assert not are_equals(one, two, {"criterion": "density"}, 1e-4)
    assert not are_equals(two, three, {}, 1e-4)


def test_a_case_is_known_by_its_numbers():
    one, two = drawn(1, 2), drawn(1, 2)
    assert repr(one.columns) == repr(two.columns) and one.parameters == two.parameters


def test_the_oracle_knows_the_density_of_a_number():
    number = {"kind": "numeric", "name": "x", "center": 1.0, "scale": 2.0}
    arrays = {"alpha": [1.0], "p": [], "mu": [[0.0]], "Sigma": [[[1.0]]]}
    model = {
        "n_components": 1,
        "diagonal": False,
        "schema": {"attributes": [number]},
        "arrays": {"k": {"1": arrays}},
    }
    expected = -0.5 - 0.5 * math.log(2 * math.pi) - math.log(2.0)
    assert log_density({"x": 3.0}, model) == pytest.approx(expected)


def test_what_takes_too_long_is_ended():
    worker = Worker(pow, 0.0)
    try:
        assert worker(2, 3)[:2] == (8, "")  # a new process has time to start
        assert worker(2, 3)[:2] == (None, "took longer than 0.0 s")
    finally:
        worker.end()


def test_a_case_that_does_not_end_is_ended():
    worker = Worker(sum, 0.01)
    worker.extra = 0.0
    try:
        assert worker(itertools.count())[:2] == (None, "took longer than 0.01 s")
    finally:
        worker.end()
