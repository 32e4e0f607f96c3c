import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, ParameterError
from galileomix.datasets import make_rules


def test_what_is_given_holds_in_every_record_and_shapes_the_rest(small_model):
    drawn, _ = small_model.sample(20_000, given={"u": "b"})
    assert (drawn["u"] == "b").all()
    shares = drawn["w"].value_counts(normalize=True)
    for value, p in small_model.conditional("w", {"u": "b"}).items():
        assert shares.get(value, 0.0) == pytest.approx(p, abs=0.02)


def test_numbers_can_be_given(mixed_model):
    target = mixed_model.conditional("x1", {"x0": 1.0})
    drawn, _ = mixed_model.sample(20_000, given={"x0": 1.0})
    assert (drawn["x0"] == 1.0).all()
    assert drawn["x1"].mean() == pytest.approx(target.mean, abs=0.05 * target.deviation)
    assert drawn["x1"].std() == pytest.approx(target.deviation, rel=0.05)


def test_what_was_never_seen_cannot_be_given(small_model):
    with pytest.raises(ParameterError, match="'z' was never seen"):
        small_model.sample(2, given={"u": "z"})


def test_a_model_is_recovered_from_its_own_sample():
    """Every weight and probability within five standard errors of a multinomial."""
    truth = Galileo(random_state=0).fit(make_rules(5_000, random_state=1).data)
    n = 200_000
    drawn, _ = truth.sample(n)
    again = Galileo(truth.n_components_, categorical="all", random_state=0).fit(drawn)
    assert again.n_components_ == truth.n_components_
    order = match(truth, again)
    alpha, found = truth.weights_, again.weights_[order]
    assert (np.abs(found - alpha) < 5 * np.sqrt(alpha * (1 - alpha) / n)).all()
    here = truth._model.mixture.p
    there = rows_of(again, truth)[:, order]
    error = np.sqrt(here * (1 - here) / (alpha * n)) + 1e-4
    assert (np.abs(here - there) < 5 * error).all()


def match(truth, again):
    rows, _ = truth.sample(2_000)
    table = pd.crosstab(truth.predict(rows), again.predict(rows))
    return table.to_numpy().argmax(axis=1)


def rows_of(again, truth):
    """Return the probabilities of a model on the value axis of another."""
    p = np.zeros((truth._model.mixture.layout.n_values, again.n_components_))
    pairs = zip(truth.schema_.categorical, again.schema_.categorical, strict=True)
    first = first_again = 0
    for here, there in pairs:
        for v, value in enumerate(there.values):
            p[first + here.values.index(value)] = again._model.mixture.p[first_again + v]
        first, first_again = first + len(here.values), first_again + len(there.values)
    return p


def test_numbers_are_drawn_and_filled_with_the_decimals_of_the_table():
    rng = np.random.default_rng(0)
    height = rng.normal(1.7, 0.1, 300)
    table = pd.DataFrame({"age": rng.integers(18, 90, 300), "fee": height.round(2), "x": height})
    model = Galileo(random_state=0).fit(table)
    assert [number.decimals for number in model.schema_.numeric] == [0, 2, None]
    table.loc[0, "fee"] = np.nan
    drawn, filled = model.sample(50)[0], model.impute(table)
    assert (drawn["age"] % 1 == 0).all() and (drawn["x"] % 0.01 > 1e-9).all()
    for fee in (*drawn["fee"], filled.loc[0, "fee"]):
        assert fee == round(fee, 2)


def test_given_numbers_stay_as_they_are():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"n": rng.integers(0, 100, 300), "u": ["a", "b", "c"] * 100})
    model = Galileo(random_state=0).fit(table)
    for value in (50.5, -3.0):
        assert (model.sample(4, given={"n": value})[0]["n"] == value).all()
