"""What components are called: what differs from the rest, and no two alike."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from building import random_mixture
from galileomix import Galileo
from galileomix._estimators.table_input import model_of
from galileomix._fitted.describe import components
from galileomix._fitted.results import Trait
from galileomix._fitted.traits import said, unique_lengths
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Background
from galileomix._table import Binned, Categorical, Numeric, Ordered, Schema

RNG = np.random.default_rng(0)
GROUP = np.repeat([0, 1, 2], [300, 200, 100])
ANY = model_of(
    Galileo(1).fit(
        {"u": list("abcd") * 9, "v": list("xyz") * 12, "w": [*range(35), 0.5], "x": [1.5, 2.7] * 18}
    )
)


def described(alpha, schema, p, mu=None, var=None):
    """Return the components of a mixture that is written down, with numbers independent."""
    alpha, p = np.array(alpha), np.array(p, dtype=float)
    mu = np.zeros((0, len(alpha))) if mu is None else np.array(mu, dtype=float)
    Q = len(mu)
    Sigma = np.zeros((Q, Q, len(alpha)))
    for q in range(Q):
        Sigma[q, q] = var[q]
    mixture = Mixture(Layout(schema.cardinalities, Q), alpha, p, mu, Sigma)
    mean = mu @ alpha[:, None]
    spread = np.einsum("qri,i->qr", Sigma, alpha)[:, :, None]
    spread[np.arange(Q), np.arange(Q)] += (mu**2 @ alpha[:, None]) - mean**2
    everything = Background(p @ alpha[:, None], mean, spread, np.ones(Q), 1.0)
    k = len(alpha)
    return components(
        replace(ANY, k=k, mixtures={k: mixture}, schema=schema, background=everything)
    )


def of_categories(alpha, **columns):
    """Return components by their probabilities of each column's values a, b, ..."""
    schema = Schema(tuple(Categorical(n, tuple("abcd"[: len(p)])) for n, p in columns.items()))
    return described(alpha, schema, [row for p in columns.values() for row in p])


def fitted(k=3, **columns):
    return Galileo(n_components=k, random_state=0).fit(pd.DataFrame(columns))


def names(model):
    return [component.name for component in model.components()]


def test_what_nearly_all_records_have_is_not_named():
    """A flag is all but constant, in one component wholly; another column differs by halves."""
    found = of_categories(
        [0.6, 0.4], flag=[[1.0, 0.98], [0.0, 0.02]], color=[[0.7, 0.3], [0.3, 0.7]]
    )
    assert [component.name for component in found] == ["color=a", "color=b"]
    assert all("flag" not in component.also for component in found)


def test_what_no_attribute_tells_alone_is_told_by_two():
    """The first component shares each of its values with another."""
    first, second, third = of_categories(
        [0.5, 0.3, 0.2], u=[[1, 1, 0], [0, 0, 1]], v=[[1, 0, 1], [0, 1, 0]]
    )
    assert set(first.name.split(", ")) == {"u=a", "v=a"}
    assert second.name == "v=b" and third.name == "u=b"


def test_a_component_in_the_middle_is_described_too():
    """Its values are as common in the rest as in itself."""
    half = [[1, 0, 0.5], [0, 1, 0.5]]
    found = of_categories([0.4, 0.4, 0.2], u=half, v=half)
    assert [component.name for component in found] == ["u=a, v=a", "u=b, v=b", "u=a or b"]


def test_a_mass_at_one_number_is_a_trait_of_its_own():
    """The first component has no rain, the third more rain than the second."""
    rain = Numeric("rain", 0.0, 1.0, unit="mm", spike=0.0)
    found = described(
        [0.4, 0.3, 0.3],
        Schema((rain,)),
        p=[[0.95, 0.05, 0.1], [0.05, 0.95, 0.9]],
        mu=[[2.0, 2.0, 9.0]],
        var=[[1.0, 1.0, 1.0]],
    )
    dry, wet, wetter = found
    assert dry.name == "rain=0 mm" and str(dry.typical[0]) == "rain=0 mm"
    assert wet.name == "rain 2 mm where not 0 (all: 4.1 mm)"
    assert wetter.name == "rain 9 mm where not 0 (all: 4.1 mm)"
    assert wetter.predictive[0].attribute == "rain" and len(wetter.predictive) == 1


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**16), st.integers(2, 6))
@example(5460, 3)  # two that only what tells little tells apart
def test_names_are_unique_and_of_what_is_said(seed, k):
    mixture = random_mixture(ANY.mixture.layout, k, seed)
    found = components(replace(ANY, k=k, mixtures={k: mixture}))
    assert len({component.name for component in found}) == k
    said = [", ".join(map(str, one.traits[: one.named])) for one in found]
    for i, component in enumerate(found):
        assert 0 < component.named <= len(component.traits)
        # Numbers are for those that no words tell apart.
        assert component.name == (f"{said[i]} ({i})" if said.count(said[i]) > 1 else said[i])
        for trait in component.traits:
            assert not isinstance(trait, Trait) or trait.share > trait.rest


def test_components_that_are_the_same_have_numbers():
    mixture = random_mixture(ANY.mixture.layout, 2, seed=0).take([0, 1, 1])
    same = mixture.weighted(np.array([0.5, 0.25, 0.25]))
    found = [component.name for component in components(replace(ANY, k=3, mixtures={3: same}))]
    assert len(set(found)) == 3 and found[1].endswith(" (1)") and found[2].endswith(" (2)")


def test_the_order_of_rows_does_not_matter():
    table = pd.DataFrame({"u": RNG.choice(list("ab"), 600), "v": GROUP * 6 + RNG.normal(size=600)})
    one, two = (Galileo(3, random_state=0).fit(t) for t in (table, table.sample(frac=1.0)))
    assert names(one) == names(two)


def test_numbers_have_a_direction_and_a_unit():
    rng = np.random.default_rng(1)
    when = pd.Timestamp("2024-03-01 12:00") + pd.to_timedelta(
        30 * GROUP + rng.normal(0, 3, 600), unit="D"
    )
    took = pd.to_timedelta(rng.normal(40, 5, 600) + 60 * GROUP, unit="min")
    model = fitted(when=when, took=took, pay=rng.normal(20 + 30 * GROUP, 3))
    found = {trait.attribute: trait for trait in model.components()[0].traits}
    assert re.fullmatch(r"when 2024-03-01 \(all: 2024-03-2\d\)", str(found["when"]))
    assert re.fullmatch(r"took [34]\d(\.\d)? min \(all: 8\d min\)", str(found["took"]))
    assert found["took"].unit == "duration" and found["took"].mean == pytest.approx(2400, rel=0.02)
    assert found["pay"].mean == pytest.approx(20, rel=0.05)
    assert found["pay"].mean_overall > 30


def test_a_number_of_another_spread_is_shown_with_it():
    x = RNG.normal(size=600) * np.where(GROUP == 0, 0.01, 3.0)
    model = fitted(k=2, x=x, u=np.where(GROUP == 0, "a", "b"))
    (spread,) = [t for t in model.components()[0].traits if t.attribute == "x"]
    assert "±" in spread.text and spread.deviation < 0.2 < spread.deviation_overall


@pytest.mark.parametrize(
    ("values", "share", "text"),
    [
        ([0], 1.0, "odor=foul"),
        ([0, 4], 1.0, "odor=foul or missing"),
        ([0, 1, 3], 1.0, "odor=foul, musty or 3.5"),
        ([0, 1, 3, 4], 1.0, "odor not none"),
        ([0, 1, 3, 4], 0.8, "odor=foul, musty, 3.5 or missing"),
        ([0, 1, 2, 3], 0.8, "odor not missing"),
    ],
)
def test_categories_in_words(values, share, text):
    odor = Categorical("odor", ("foul", "musty", "none", 3.5, None))
    assert said(odor, np.array(values), share) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0], "q1 low: 1"),
        ([3, 4], "q1 high: 4 or 5"),
        ([2, 3, 4], "q1 high: 3 to 5"),
        ([1, 2], "q1=2 or 3"),
        ([4, 5], "q1=5 or missing"),
        ([0, 2, 4], "q1=1, 3 or 5"),
        ([0, 1, 2, 3, 4], "q1 not missing"),
    ],
)
def test_ranks_in_words(values, text):
    assert said(Ordered("q1", (1, 2, 3, 4, 5, None)), np.array(values), 1.0) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0], "age < 18"),
        ([1, 2], "age >= 18"),
        ([1], "age in [18, 65)"),
        ([3], "age=missing"),
        ([0, 2], "age=< 18 or >= 65"),
        ([0, 1, 2], "age not missing"),
    ],
)
def test_intervals_in_words(values, text):
    age = Binned("age", ("< 18", "[18, 65)", ">= 65", None), edges=(18.0, 65.0))
    assert said(age, np.array(values), 1.0) == text


def test_names_that_begin_alike_are_longer():
    texts = [["a", "b", "c"], ["a", "b", "d"], ["a"], ["e", "f"]]
    assert unique_lengths(texts, [1, 1, 1, 1]) == [3, 3, 1, 1]
    assert unique_lengths([["a"], ["a"]], [1, 1]) == [1, 1]
