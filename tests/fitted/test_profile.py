import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.datasets import load_mushroom

COLUMNS = [
    *("label", "size", "weight", "relative_density", "name", "typical", "defining", "predictive"),
]

TABLE = load_mushroom().data.drop(columns=["stalk-root", "veil-type"])
"""Without the columns that have missing values, or only one."""


@pytest.fixture(scope="module")
def model():
    return Galileo(random_state=0).fit(TABLE)


def test_a_component_says_what_is_typical_defining_and_predictive(model):
    labels = model.predict(TABLE)
    for each in model.components()[:4]:
        mine = TABLE[labels == each.label]
        assert [trait.attribute for trait in each.typical] == list(TABLE)
        for trait in each.typical:
            shares = mine[trait.attribute].value_counts(normalize=True)
            assert shares[trait.values[0]] == pytest.approx(shares.max(), abs=0.02)
        for trait in each.traits:
            held = TABLE[trait.attribute].isin(trait.values)
            assert trait.share == pytest.approx(held[labels == each.label].mean(), abs=1e-3)
            assert trait.rest == pytest.approx(held[labels != each.label].mean(), abs=1e-3)
            assert trait.lift > 1.3


def test_predictive_attributes_equal_their_mutual_information(model):
    p = model.predict_proba(TABLE)
    for each in model.components()[:3]:
        here = p[:, each.label].round()
        best = each.predictive[0]
        joint = pd.crosstab(TABLE[best.attribute], here, normalize=True).to_numpy()
        apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
        some = joint > 0
        exact = (joint[some] * np.log(joint[some] / apart[some])).sum()
        assert best.information == pytest.approx(exact, abs=0.01)
        assert best.share == pytest.approx(1.0, abs=0.6) and best.share <= 1.0


def test_the_profile_is_a_frame_of_words(model):
    profile = model.profile()
    assert list(profile) == COLUMNS and len(profile) == model.n_components_
    buff = profile.iloc[1]
    assert buff["name"] == "gill-color=buff"
    assert "gill-color=buff (100%, hardly elsewhere)" in buff["defining"]
    assert "gill-size=narrow (100%, 8.2 times as common as elsewhere)" in buff["defining"]
    assert buff["predictive"].startswith("gill-color (100%)")
    assert "class=poisonous" in buff["typical"]


def test_numbers_have_their_place(mixed_model):
    for each in mixed_model.components():
        assert [trait.attribute for trait in each.typical] == list(mixed_model.schema_.names)
        assert 1 <= len(each.predictive) <= 3
        assert each.predictive[0].information >= each.predictive[-1].information


def test_one_component_is_told_by_nothing():
    table = np.random.default_rng(0).choice(list("ab"), (100, 3))
    (only,) = Galileo(1, random_state=0).fit(table).components()
    assert only.predictive == () and only.name == "like all records"
    assert len(only.typical) == 3 and only.relative_density == pytest.approx(1.0)


def test_density_beside_that_of_all_records_has_no_unit(mixed, mixed_model):
    numbers = mixed.select_dtypes("number").columns
    scaled = Galileo(random_state=0, missing="ignore").fit(
        mixed.assign(**{name: 1000.0 * mixed[name] for name in numbers})
    )
    ours, theirs = (
        [each.relative_density for each in model.components()] for model in (mixed_model, scaled)
    )
    assert theirs == pytest.approx(ours, rel=1e-6)
    change = 1000.0 ** len(numbers)
    assert scaled.densities_ == pytest.approx(mixed_model.densities_ / change, rel=1e-6)
    densities = [each.density for each in mixed_model.components()]
    assert np.divide(ours, densities) == pytest.approx(ours[0] / densities[0], rel=1e-9)
