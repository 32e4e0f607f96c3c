from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad

from galileomix import Galileo, ParameterError


def joint(model):
    """Return every combination of values and its probability."""
    values = [attribute.values for attribute in model.schema_.attributes]
    every = pd.DataFrame(list(product(*values)), columns=model.schema_.names)
    return every, np.exp(model.score_samples(every))


@pytest.mark.parametrize("given", [{}, {"u": "a"}, {"v": "c"}, {"u": "b", "v": "a"}])
def test_it_equals_the_enumeration_of_the_full_joint(small_model, given):
    every, p = joint(small_model)
    agrees = np.all([every[name] == value for name, value in given.items()], axis=0)
    p = np.where(agrees, p, 0.0) if given else p
    found = small_model.conditional("w", given)
    for value, probability in found.items():
        exact = p[every["w"] == value].sum() / p.sum()
        assert probability == pytest.approx(exact, rel=1e-10, abs=1e-10)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.is_monotonic_decreasing


def test_a_number_given_all_else_equals_the_slice_of_the_density(mixed_model, mixed):
    row = mixed.iloc[[0]].copy()
    for name in mixed:
        row[name] = row[name].fillna(mixed[name].mode()[0])
    target = mixed_model.schema_.numeric[0].name
    given = {name: row[name].iloc[0] for name in mixed if name != target}
    found = mixed_model.conditional(target, given)

    def density(x):
        return float(np.exp(mixed_model.score_samples(row.assign(**{target: x})))[0])

    low, high = found.quantile(1e-6), found.quantile(1 - 1e-6)
    total = quad(density, low, high, limit=200)[0]
    for x in (found.mean, found.mean + found.deviation, found.quantile(0.1)):
        assert found.pdf(x) == pytest.approx(density(x) / total, rel=1e-4)
    mean = quad(lambda x: x * density(x), low, high, limit=200)[0] / total
    assert found.mean == pytest.approx(mean, rel=1e-4)


def test_quantiles_invert_the_distribution(mixed_model):
    found = mixed_model.conditional(mixed_model.schema_.numeric[1].name)
    for share in (0.01, 0.3, 0.5, 0.99):
        assert found.cdf(found.quantile(share)) == pytest.approx(share, abs=1e-12)
    assert "±" in str(found)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        found.quantile(1.0)


def test_a_category_given_a_number(mixed_model):
    """By the densities of records of which nothing else is known."""
    value = mixed_model.conditional("x0").mean
    blank = pd.DataFrame({name: [None] for name in mixed_model.schema_.names}).assign(x0=value)
    alone = mixed_model.score_samples(blank)[0]
    for category, p in mixed_model.conditional("c0", {"x0": value}).items():
        both = mixed_model.score_samples(blank.assign(c0=category))[0]
        assert p == pytest.approx(np.exp(both - alone), rel=1e-9)


def test_missing_is_a_value_where_fit_saw_it():
    table = pd.DataFrame({"a": ["x", "x", None, None] * 20, "b": ["p", "p", "q", "q"] * 20})
    found = Galileo(random_state=0).fit(table).conditional("b", {"a": None})
    assert found.index[0] == "q" and found.iloc[0] > 0.99
    model = Galileo(random_state=0, missing="ignore").fit(table)
    assert model.at(2).conditional("b", {"a": None})["q"] == pytest.approx(0.5)  # by itself
    together = model.conditional("b", {"a": None})  # of several sizes, which need not be even
    assert together["q"] == pytest.approx(0.5, abs=1e-3)


def test_intervals_can_be_given_by_number_and_by_name():
    rng = np.random.default_rng(0)
    age = rng.uniform(0, 90, 300)
    table = pd.DataFrame({"age": age, "pays": np.where(age < 18, "no", "yes")})
    model = Galileo(random_state=0, discretize={"age": [18, 65]}).fit(table)
    by_number = model.conditional("pays", {"age": 7})
    by_name = model.conditional("pays", {"age": model.schema_.attributes[0].values[0]})
    assert by_number["no"] == by_name["no"] > 0.99


@pytest.mark.parametrize(
    ("target", "given", "words"),
    [
        ("x", {}, "no column 'x' was fitted; there are 'u', 'v', 'w'"),
        ("u", {"x": 1}, "no column 'x' was fitted"),
        ("u", {"u": "a"}, "is the target of the query and given at once"),
        ("u", {"v": "z"}, "given 'v': 'z' was never seen in fit; known values are 'a', 'b', 'c'"),
    ],
)
def test_what_makes_no_sense_is_named(small_model, target, given, words):
    with pytest.raises(ParameterError, match=words):
        small_model.conditional(target, given)
