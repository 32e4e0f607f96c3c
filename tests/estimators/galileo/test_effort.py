"""How long a search goes on: effort, a limit in seconds, a function that says enough."""

import math

import pytest

import galileomix
from galileomix import Galileo, GalileoClassifier, GalileoWarning, ParameterError
from galileomix.datasets import load_votes, load_zoo


def test_less_effort_takes_fewer_passes_for_nearly_the_best_model():
    table = load_votes().data
    best = Galileo(criterion="aic", random_state=0).fit(table)
    quick = Galileo(criterion="aic", random_state=0, effort=0.1, tol=1e-6).fit(table)
    assert 1.5 * quick.n_passes_ < best.n_passes_
    aic = [model.path_.to_frame()["aic"].min() for model in (best, quick)]
    assert aic[0] <= aic[1] + 1e-6 * aic[0] and aic[1] <= 1.005 * aic[0]


def test_what_the_search_says_is_saved_with_the_model(tmp_path):
    model = Galileo(random_state=0).fit(load_zoo().data)
    assert model.search_.complete
    assert model.search_.kicks >= model.search_.in_vain >= 80
    assert 0 < model.search_.returned <= model.search_.in_vain
    assert model.search_.n_passes == model.n_passes_
    model.save(tmp_path / "m.galileo")
    assert galileomix.load(tmp_path / "m.galileo").search_ == model.search_


@pytest.mark.parametrize("refine", [True, False])
def test_a_time_limit_too_short_for_anything_gives_a_model_and_a_warning(refine):
    table = load_zoo().data
    with pytest.warns(GalileoWarning, match="stopped by time_limit=1e-09: this is the best model"):
        model = Galileo(time_limit=1e-9, refine=refine, random_state=0).fit(table)
    assert not model.search_.complete
    assert model.predict(table).shape == (101,)
    assert math.isfinite(model.score(table))


def test_a_classifier_keeps_to_the_limit_over_all_classes():
    zoo = load_zoo()
    data = zoo.data.drop(columns="type")
    classifier = GalileoClassifier(Galileo(time_limit=1e-9, random_state=0))
    with pytest.warns(GalileoWarning, match="stopped by time_limit=1e-09") as said:
        classifier.fit(data, zoo.target)
    assert len([each for each in said if "time_limit" in str(each.message)]) == 1
    assert not classifier.model_.search_.complete
    assert classifier.model_.n_components_ == zoo.target.nunique()


def test_one_component_is_reported_too():
    seen = []
    Galileo(1, progress=seen.append, random_state=0).fit(load_zoo().data)
    assert {step.k for step in seen} == {1}


def test_a_progress_function_may_end_the_search():
    seen = []

    def enough(step):
        seen.append(step)
        return False if step.k > 1 else None

    with pytest.warns(GalileoWarning, match="stopped by its progress function"):
        model = Galileo(progress=enough, random_state=0).fit(load_zoo().data)
    assert not model.search_.complete
    assert model.n_components_ > 1
    assert model.n_passes_ < 500  # it is asked now and then, and where a phase ends


@pytest.mark.parametrize("name", ["effort", "time_limit"])
@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan, "long", True])
def test_what_is_no_positive_number_is_refused(name, value):
    with pytest.raises(ParameterError, match=name):
        Galileo(**{name: value}).fit(load_zoo().data)


@pytest.mark.parametrize("name", ["effort", "tol", "time_limit", "prior_strength"])
def test_what_no_float_can_hold_is_refused(name):
    with pytest.raises(ParameterError, match=f"{name}=.*: it must be") as caught:
        Galileo(**{name: 10**5000}).fit(load_zoo().data)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("effort", [1e308, 2e6])
def test_an_effort_without_an_end_is_refused(effort):
    with pytest.raises(ParameterError, match=r"effort=.*: it must be .* at most 1e\+06"):
        Galileo(effort=effort).fit(load_zoo().data)


def test_other_words_are_refused():
    with pytest.raises(ParameterError, match="refine='twice': it must be True or False"):
        Galileo(refine="twice").fit(load_zoo().data)
