"""A number of components that is given, not chosen."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoClassifier, GalileoDetector, GalileoWarning, ParameterError
from galileomix.datasets import load_zoo

ZOO = load_zoo()


def log_likelihoods(model):
    return model.path_.to_frame().set_index("k")["log_likelihood"]


@pytest.fixture(scope="module")
def chosen():
    """By AIC, whose path goes further than that of BIC."""
    return log_likelihoods(Galileo(criterion="aic", random_state=0).fit(ZOO.data))


@pytest.mark.parametrize("k", [1, 2, 4, 6, 7])
def test_the_model_is_the_best_of_that_size(chosen, k):
    model = Galileo(n_components=k, random_state=0).fit(ZOO.data)
    assert model.n_components_ == k == model.path_.chosen
    assert set(model.labels_) <= set(range(k))
    assert log_likelihoods(model)[k] >= chosen[k] - 1e-6 * abs(chosen[k])


def test_far_beyond_what_any_criterion_would_choose():
    model = Galileo(n_components=20, random_state=0).fit(ZOO.data)
    assert model.n_components_ == 20
    values = log_likelihoods(model)
    assert values.index.tolist() == list(range(1, values.index[-1] + 1))
    assert (values.diff().iloc[1:] >= -1e-6).all()


def test_the_limit_may_be_the_number_itself_but_not_less():
    model = Galileo(5, n_components=5, random_state=0).fit(ZOO.data)
    assert model.n_components_ == 5 == max(model.path_.sizes)
    with pytest.raises(ParameterError, match="n_components=6 is more than max_components=5"):
        Galileo(5, n_components=6).fit(ZOO.data)


def test_by_density_the_densest_of_that_size():
    likely, dense = (
        Galileo(n_components=3, criterion=criterion, random_state=0).fit(ZOO.data)
        for criterion in ("bic", "density")
    )
    assert dense.n_components_ == likely.n_components_ == 3
    density = [model.path_.to_frame().set_index("k")["density"][3] for model in (likely, dense)]
    assert density[1] >= density[0]


def test_annealing_visits_the_number_whatever_the_schedule():
    model = Galileo.as_published(20, n_components=4, step_root=1.5, random_state=0).fit(ZOO.data)
    assert 4 in model.path_.sizes and model.n_components_ == 4
    alone = Galileo(refine=False, n_components=3, random_state=0).fit(ZOO.data)
    assert alone.n_components_ == 3


def test_more_than_there_can_be():
    table = pd.DataFrame({"u": ["a"] * 60})
    with pytest.warns(GalileoWarning, match="no model of more than 1 component;"):
        model = Galileo(n_components=5, random_state=0).fit(table)
    assert model.n_components_ == 1
    with pytest.warns(GalileoWarning, match="n_components=5 is more than the 4 records"):
        Galileo(n_components=5, random_state=0).fit(table.iloc[:4])


def test_of_every_class_and_of_a_detector():
    classes = (ZOO.target == "mammal").to_numpy()
    classifier = GalileoClassifier(Galileo(n_components=2, random_state=0))
    narrow = classifier.fit(ZOO.data, classes).model_.n_components_
    one = GalileoClassifier(Galileo(n_components=1, random_state=0))
    assert narrow == one.fit(ZOO.data, classes).model_.n_components_ + 2
    detector = GalileoDetector(Galileo(n_components=3, random_state=0)).fit(ZOO.data)
    assert detector.model_.n_components_ == 3


def test_it_is_saved(tmp_path):
    model = Galileo(n_components=3, random_state=0).fit(ZOO.data)
    model.save(tmp_path / "three.galileo")
    loaded = Galileo.load(tmp_path / "three.galileo")
    assert loaded.n_components == loaded.n_components_ == 3


def test_no_more_components_than_rows_however_much_they_weigh():
    rng = np.random.default_rng(9)
    n_rows = int(rng.choice([6, 8, 12]))
    drawn = {name: _column(rng, n_rows) for name in "pqr"}
    table = pd.DataFrame(drawn).mask(rng.random((n_rows, 3)) < 0.2)
    model = Galileo(effort=0.05, predictive="chosen", random_state=0)
    model.fit(table, sample_weight=np.full(n_rows, 1e12))
    assert max(model.path_.sizes) <= n_rows


def _column(rng, n_rows):
    return rng.choice(list("abc"), n_rows) if rng.random() < 0.5 else rng.normal(size=n_rows)
