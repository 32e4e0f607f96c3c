"""Ordered columns through the public interface: every answer, and model files."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoClassifier, GalileoDetector
from galileomix._estimators.table_input import model_of
from galileomix._model.ordered import tilted

WORDS = ["never", "rarely", "sometimes", "often", "always"]
ITEMS = ["a", "b", "c", "d"]


def survey(n=240):
    """Two clusters, one of which answers low and one high; some answers of b are missing."""
    rng = np.random.default_rng(0)
    high = np.arange(n) % 3 == 0
    ranks = rng.binomial(4, np.where(high, 0.8, 0.25)[:, None], (n, len(ITEMS)))
    table = pd.DataFrame(np.array(WORDS, dtype=object)[ranks], columns=ITEMS)
    table.loc[::13, "b"] = None
    return table.apply(lambda item: pd.Categorical(item, WORDS, ordered=True)), high


@pytest.fixture(scope="module")
def answers():
    return survey()[0]


@pytest.fixture(scope="module")
def model(answers):
    return Galileo(random_state=0).fit(answers)


def test_the_clusters_are_found_and_each_distribution_is_a_tilt(model):
    _, high = survey()
    assert model.n_components_ == 2
    agreement = np.mean((model.labels_ == 0) == high)
    assert max(agreement, 1 - agreement) > 0.9
    fitted = model_of(model)
    assert fitted.mixture.layout.ordered == ((0, 5), (1, 5), (2, 5), (3, 5))
    p = tilted(fitted.mixture.p, fitted.mixture.layout, fitted.background.G)
    np.testing.assert_allclose(p, fitted.mixture.p, atol=1e-6)


def test_bic_counts_two_parameters_a_component_and_the_shape_once(model, answers):
    free = Galileo(random_state=0, categorical="all").fit(answers)
    for step in model.path_:
        # Four items of five ranks, and in one of them a missing value that is a value.
        nu = (step.k - 1) + step.k * (4 * 2 + 1) + 4 * 2
        assert step.bic == pytest.approx(nu * np.log(len(answers)) - 2 * step.log_likelihood)
    assert model.bic(answers) == pytest.approx(model.path_.to_frame()["bic"].min())
    assert model.at(1).score(answers) == pytest.approx(free.at(1).score(answers), abs=1e-12)
    assert model.bic(answers) < free.bic(answers)


def test_numbers_and_names_of_the_ranks_are_the_same_model(model, answers):
    codes = answers.apply(lambda item: item.cat.codes.where(item.notna()))
    by_number = Galileo(random_state=0, ordered=ITEMS).fit(codes)
    text = answers.astype(object)
    by_name = Galileo(random_state=0, ordered=dict.fromkeys(ITEMS, WORDS)).fit(text)
    for other, table in ((by_number, codes), (by_name, text)):
        assert other.score_samples(table).tobytes() == model.score_samples(answers).tobytes()


def test_a_scale_turned_around_is_the_same_model(model, answers):
    turned = answers.apply(lambda item: item.cat.reorder_categories(WORDS[::-1]))
    other = Galileo(random_state=0).fit(turned)
    assert other.n_components_ == model.n_components_
    assert other.score(turned) == pytest.approx(model.score(answers), rel=1e-7)


def test_queries_and_samples(model, answers):
    low, high = (model.conditional("a", {"c": word, "d": word}) for word in ("never", "always"))
    assert low.sum() == pytest.approx(1.0)
    mean = [found[WORDS].to_numpy() @ np.arange(5) for found in (low, high)]
    assert mean[0] + 1.0 < mean[1]
    drawn, _ = model.sample(4000)
    share = drawn["c"].astype(object).value_counts(normalize=True).reindex(WORDS)
    wanted = answers["c"].astype(object).value_counts(normalize=True).reindex(WORDS)
    assert share.to_numpy() == pytest.approx(wanted.to_numpy(), abs=0.04)
    assert len(model.dependence()) == 6


def test_imputation_and_explanation(model, answers):
    filled = model.impute(answers)
    assert filled.notna().all(axis=None)
    assert set(filled["b"].astype(object)) <= set(WORDS)
    row = pd.DataFrame([["never", "never", "rarely", word] for word in WORDS], columns=ITEMS)
    surprise = model.explain(row).surprise["d"].to_numpy()
    assert np.isfinite(surprise).all()
    assert surprise[4] > surprise[3] > surprise[2] > surprise[1]


def test_a_saved_model_is_the_same_to_the_bit(model, answers, tmp_path):
    path = tmp_path / "survey.galileo"
    model.save(path)
    loaded = Galileo.load(path)
    assert loaded.schema_ == model.schema_
    assert model_of(loaded).mixture.layout == model_of(model).mixture.layout
    assert loaded.score_samples(answers).tobytes() == model.score_samples(answers).tobytes()
    assert loaded.bic(answers) == model.bic(answers)
    again = Galileo.from_dict(model.to_dict())
    assert again.bic(answers) == model.bic(answers)


def test_a_csv_with_the_order_given_is_the_same_model(model, answers, tmp_path):
    path = tmp_path / "survey.csv"
    answers.to_csv(path, index=False)
    other = Galileo(random_state=0, ordered=dict.fromkeys(ITEMS, WORDS)).fit(path)
    assert other.score_samples(path).tobytes() == model.score_samples(answers).tobytes()


def test_weights_are_rows(answers):
    table = answers.head(90)
    weights = np.arange(90) % 3 + 1
    weighted = Galileo(3, random_state=0).fit(table, sample_weight=weights)
    repeated = Galileo(3, random_state=0).fit(table.loc[table.index.repeat(weights)])
    assert weighted.n_components_ == repeated.n_components_
    assert weighted.score(table) == pytest.approx(repeated.score(table), rel=1e-7)


def test_beside_numbers_and_categories(answers):
    _, high = survey()
    rng = np.random.default_rng(1)
    table = answers.assign(
        age=rng.normal(40 + 20 * high, 5.0), sex=np.where(rng.random(len(high)) < 0.5, "f", "m")
    )
    found = Galileo(random_state=0, missing="ignore").fit(table)
    assert found.n_components_ == 2
    assert np.isfinite(found.score_samples(table)).all()
    drawn, _ = found.sample(20, given={"a": "always"})
    assert (drawn["a"] == "always").all()


def test_as_published_and_the_meta_estimators_take_them(answers):
    _, high = survey()
    published = Galileo.as_published(4, random_state=0).fit(answers)
    assert np.isfinite(published.score(answers))
    classifier = GalileoClassifier(Galileo(3, random_state=0)).fit(answers, high)
    assert classifier.score(answers, high) > 0.9
    detector = GalileoDetector(Galileo(3, random_state=0)).fit(answers)
    assert np.isfinite(detector.score_samples(answers)).all()
