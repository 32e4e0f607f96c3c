import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, ParameterError
from galileomix._fitted.left_out import LeftOut, Shrinkage
from galileomix._fitted.predictive import STRENGTHS, _weights
from galileomix._kernels import KERNEL
from galileomix._model.families import smoothed
from galileomix.datasets import load_votes, make_mixed


@pytest.fixture(scope="module")
def votes():
    return load_votes().data


@pytest.fixture(scope="module")
def model(votes):
    return Galileo(random_state=0, effort=0.1).fit(votes)


def log_density(model, table):
    """Return the mean log density of a table by what judges it."""
    return float(model.explain(table).log_density.mean())


def test_the_clusters_are_those_of_the_chosen_size(votes, model):
    alone = Galileo(random_state=0, effort=0.1, predictive="chosen").fit(votes)
    assert alone._model.predictive is None
    assert np.array_equal(model.labels_, alone.labels_)
    assert model.path_ == alone.path_
    assert np.array_equal(model.predict_proba(votes), alone.predict_proba(votes))


def test_weights_sum_to_one_and_strengths_are_of_the_scale(model):
    shares = model._model.predictive.shares
    assert sum(share.weight for share in shares.values()) == pytest.approx(1.0)
    assert all(share.weight > 0 and share.strength in STRENGTHS for share in shares.values())
    assert set(shares) <= {*model.path_.sizes, *model._model.predictive.beyond}


def test_sizes_beyond_the_path_predict_too(model):
    beyond = model._model.predictive.beyond
    assert beyond and min(beyond) > max(model.path_.sizes)
    for k, mixture in beyond.items():
        assert mixture.k == k and mixture.alpha.sum() == pytest.approx(1.0)


def test_it_predicts_left_out_rows_better_than_the_chosen_size(votes):
    fold = np.random.default_rng(0).integers(4, size=len(votes))
    better = []
    for which in range(2):
        train, test = votes[fold != which], votes[fold == which]
        model = Galileo(random_state=0, effort=0.1).fit(train)
        alone = Galileo(random_state=0, effort=0.1, predictive="chosen").fit(train)
        better.append(log_density(model, test) - log_density(alone, test))
    assert np.mean(better) > 0.1


def test_it_is_the_mixture_of_its_sizes(votes, model):
    fitted = model._model
    density = np.zeros(20)
    every = {**fitted.predictive.beyond, **fitted.mixtures}
    for k, share in fitted.predictive.shares.items():
        part = smoothed(every[k], fitted.background, fitted.N, share.strength)
        block = next(_blocks(model, votes[:20]))
        density += share.weight * np.exp(KERNEL.log_joint(block, part)).sum(axis=1)
    found = model.explain(votes[:20]).log_density
    np.testing.assert_allclose(found, np.log(density), rtol=1e-9)


def _blocks(model, table):
    from galileomix._estimators.parameters import new_table

    return (piece.block for piece in new_table(model, table).coded_rows())


def test_another_size_judges_alone(votes, model):
    two = model.at(2)
    assert two._model.judge().mixture.k == 2
    assert model._model.judge().mixture.k > model.n_components_
    assert model.explain(votes[:5], sizes=2).surprise.equals(two.explain(votes[:5]).surprise)


def left_out(values, s=2.0):
    """Return the probability of each record of one column, left out, by one component."""
    table = pd.DataFrame({"x": values})
    fitted = Galileo(random_state=0, n_components=1).fit(table)
    model, N = fitted._model, float(len(values))
    block, G = next(iter(_blocks(fitted, table))), model.background.G
    shrunk = smoothed(model.mixtures[1], model.background, N, s)
    found = LeftOut(block, shrunk, Shrinkage(N, G, G, 1.0, s)).log_joint()[:, 0]
    return np.exp(found) / (N - 1.0)


def test_a_record_left_out_is_a_record_less():
    s, G = 2.0, np.array([0.6, 0.6, 0.6, 0.4, 0.4])
    others = np.array([2.0, 2.0, 2.0, 1.0, 1.0])
    usual = (6.0 * G - 1.0) / 5.0
    found = left_out(["a", "a", "a", "b", "b"], s)
    np.testing.assert_allclose(found, (others + s * usual) / (4.0 + s), rtol=1e-12)


def test_a_value_of_one_record_is_unseen_without_it():
    """As any value that fit never saw: one in N + 1, not less than that."""
    np.testing.assert_allclose(left_out(["a", "a", "a", "b"])[3], 1.0 / 5.0, rtol=1e-12)


def test_weights_are_the_likeliest():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(300, 3))
    block = type("Rows", (), {"weights": np.ones(300)})
    weights = _weights(scores, block)

    def likelihood(w):
        return np.log(np.exp(scores) @ w).mean()

    for i in range(3):
        other = 0.98 * weights + 0.02 * np.eye(3)[i]
        assert likelihood(weights) >= likelihood(other) - 1e-7


def test_the_order_of_rows_and_threads_change_nothing(votes, model):
    shuffled = votes.sample(frac=1.0, random_state=3)
    other = Galileo(random_state=0, effort=0.1, n_jobs=2).fit(shuffled)
    assert other._model.predictive.shares == model._model.predictive.shares


def test_numbers_and_missing_cells_are_predicted():
    table = make_mixed(400, n_components=3, n_categorical=2, n_numeric=2, random_state=0).data
    table.iloc[::7, 0] = None
    model = Galileo(random_state=0, effort=0.1).fit(table)
    assert np.isfinite(model.explain(table).log_density).all()
    assert not model.impute(table).isna().any().any()


def test_one_record_has_nothing_to_be_left_out_of():
    model = Galileo(random_state=0).fit([["a", "x"]])
    assert model._model.predictive is None
    assert model.explain([["a", "x"]]).p_value.tolist() == [1.0]


def test_saved_and_loaded(model, votes, tmp_path):
    model.save(tmp_path / "votes.galileo")
    loaded = Galileo.load(tmp_path / "votes.galileo")
    assert loaded._model.predictive.shares == model._model.predictive.shares
    before, after = (one.explain(votes[:30]).surprise for one in (model, loaded))
    assert before.equals(after)


def test_no_other_choice():
    with pytest.raises(ParameterError, match=r"predictive='all'"):
        Galileo(predictive="all").fit([["a"], ["b"]])


def test_its_weights_are_public(model):
    weights = model.predictive_weights_
    assert sum(weights.values()) == pytest.approx(1.0) and max(weights) > model.n_components_
    assert model.at(2).predictive_weights_ == {2: 1.0}
    alone = Galileo(random_state=0, predictive="chosen").fit([["a"], ["b"]] * 9)
    assert alone.predictive_weights_ == {alone.n_components_: 1.0}


def test_it_is_no_part_of_the_search(votes, model):
    alone = Galileo(random_state=0, effort=0.1, predictive="chosen").fit(votes)
    assert model.n_passes_ == alone.n_passes_


def test_there_is_one_without_time_to_grow(votes):
    with pytest.warns(UserWarning, match="time_limit"):
        model = Galileo(random_state=0, time_limit=1e-6).fit(votes)
    assert not model._model.predictive.beyond
    assert np.isfinite(model.explain(votes[:9]).log_density).all()


@pytest.mark.parametrize("sizes", [0, -1, 2.5, [0, 1, 1, 1, 1]])
def test_what_is_no_size(votes, model, sizes):
    with pytest.raises(ParameterError, match="sizes="):
        model.explain(votes[:5], sizes)
