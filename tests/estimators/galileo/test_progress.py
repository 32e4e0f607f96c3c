"""What is told while a model is fitted."""

import os
from itertools import pairwise

import numpy as np
import pytest

from galileomix import Galileo, GalileoClassifier, GalileoDetector, GalileoWarning, Progress
from galileomix._fitted import search_progress, watch
from galileomix._passes.local import threads
from galileomix.datasets import load_votes, load_zoo

ZOO = load_zoo()


def told(**parameters):
    steps = []
    model = Galileo(random_state=0, progress=steps.append, **parameters).fit(ZOO.data)
    return steps, model


def test_the_phases_of_a_fit_come_one_after_the_other():
    steps, model = told()
    phases = [step.phase for step in steps]
    changes = phases[:1] + [new for old, new in pairwise(phases) if old != new]
    assert changes == ["growing", "improving", "weighing sizes", "fitted"]
    assert {type(step) for step in steps} == {Progress}
    last = steps[-1]
    assert (last.done, last.share, last.seconds_left) == (True, 1.0, 0.0)
    assert not any(step.done for step in steps[:-1])
    assert last.k == model.n_components_ and last.n_passes == model.n_passes_
    assert last.value == pytest.approx(model.path_.to_frame()["bic"].min())


def test_of_what_a_search_finds_at_once_the_first_and_the_last_of_a_phase_are_told(monkeypatch):
    monkeypatch.setattr(watch, "BEAT", 1e9)
    steps, model = told()
    first_and_last = ["growing", "growing", "improving", "improving"]
    assert [step.phase for step in steps] == [*first_and_last, "weighing sizes", "fitted"]
    assert [step.k for step in steps] == [1, *[model.n_components_] * 5]
    assert {step.n_passes for step in steps[-2:]} == {model.n_passes_}
    assert told(predictive="chosen")[0][-1].n_passes == model.n_passes_


def test_time_and_passes_only_grow():
    steps, _ = told()
    for attribute in ("seconds", "n_passes"):
        values = [getattr(step, attribute) for step in steps]
        assert values == sorted(values)


def test_nothing_is_said_of_the_time_left_in_the_first_moments():
    steps, _ = told()
    assert {step.seconds_left for step in steps[:-1]} == {None}
    assert {step.share for step in steps[:-1]} == {None}


def test_a_limit_cuts_the_time_left_short(monkeypatch):
    monkeypatch.setattr(search_progress.TimeLeft, "seconds", lambda self, outlook, now: 1e9)
    steps, _ = told(time_limit=1000.0)
    assert all(990.0 <= step.seconds_left <= 1000.0 for step in steps[:-1])


def test_where_a_second_search_may_follow_no_time_is_told(monkeypatch):
    monkeypatch.setattr(search_progress.TimeLeft, "seconds", lambda self, outlook, now: 1e9)
    steps = []
    table = np.random.default_rng(0).normal(size=(40, 10))
    with pytest.warns(GalileoWarning, match="independent within a cluster"):
        Galileo(random_state=0, effort=0.1, progress=steps.append).fit(table)
    assert {step.seconds_left for step in steps} == {None}


@pytest.mark.parametrize(
    ("parameters", "phases"),
    [
        ({"refine": False}, {"annealing", "weighing sizes", "fitted"}),
        ({"criterion": "density"}, {"growing", "improving", "weighing sizes", "fitted"}),
        ({"predictive": "chosen"}, {"growing", "improving", "fitted"}),
    ],
)
def test_other_searches_have_their_phases(parameters, phases):
    steps, _ = told(max_components=4, **parameters)
    assert {step.phase for step in steps} == phases


def test_who_listens_changes_nothing():
    steps, model = told()
    alone = Galileo(random_state=0).fit(ZOO.data)
    assert len(steps) > 5
    assert model.path_ == alone.path_
    assert model.n_passes_ == alone.n_passes_


def test_a_log_has_few_lines(capsys):
    Galileo(random_state=0, progress=True).fit(ZOO.data)
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert captured.out == ""
    assert [line.split(":")[0] for line in lines] == ["growing", "fitted"]
    assert lines[-1].startswith("fitted: 4 clusters, BIC 1710.56, ")


def test_classes_are_parts_of_one_fit():
    steps = []
    model = Galileo(random_state=0, progress=steps.append)
    GalileoClassifier(model).fit(ZOO.data.drop(columns="type"), ZOO.target)
    parts = list(dict.fromkeys(step.part for step in steps))
    assert parts == [f"class {n} of 7" for n in range(1, 8)]
    shares = [step.share for step in steps]
    assert shares == sorted(shares) and shares[-1] == pytest.approx(6 / 7)


def test_a_detector_judges_rows_when_its_model_is_fitted(capsys):
    steps = []
    GalileoDetector(Galileo(random_state=0, progress=steps.append)).fit(ZOO.data)
    assert [(step.phase, step.done) for step in steps[-2:]] == [
        ("fitted", True),
        ("judging", False),
    ]
    assert (steps[-1].rows, steps[-1].share) == (101, 1.0)
    detector = GalileoDetector(Galileo(random_state=0, progress=True)).fit(ZOO.data)
    assert capsys.readouterr().err.splitlines()[-1].startswith("judging: 101 rows")
    assert detector.model_.progress is True


def test_resamples_say_how_long_the_others_will_take():
    table, steps = load_votes().data, []
    model = Galileo(max_components=2, effort=0.1, random_state=0).fit(table)
    model.set_params(progress=steps.append).stability(table, 3)
    assert list(dict.fromkeys(step.part for step in steps)) == [
        f"resample {n} of 3" for n in range(1, 4)
    ]
    first = [step for step in steps if step.part == "resample 1 of 3"]
    assert {step.seconds_left for step in first} == {None}
    second = [step for step in steps if step.part == "resample 2 of 3"]
    assert second[0].seconds_left == pytest.approx(2 * second[0].seconds, rel=0.1)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="not on this system")
def test_all_processors_are_those_this_process_may_use(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 5, 7})
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert (threads(-1), threads(-2), threads(-9)) == (3, 2, 1)
