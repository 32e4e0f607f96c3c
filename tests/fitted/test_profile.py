import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.datasets import load_mushroom

COLUMNS = ["label", "size", "weight", "density", "name", "typical", "defining", "predictive"]


@pytest.fixture(scope="module")
def model():
    return Galileo(random_state=0).fit(load_mushroom().data)


def test_a_component_says_what_is_typical_defining_and_predictive(model):
    table = load_mushroom().data
    labels = model.predict(table)
    for each in model.components()[:4]:
        mine = table[labels == each.label]
        assert [trait.attribute for trait in each.typical] == list(table)
        for trait in each.typical:
            shares = mine[trait.attribute].value_counts(normalize=True)
            assert shares[trait.value] == pytest.approx(shares.max(), abs=0.02)
        for trait in each.traits:
            overall = (table[trait.attribute] == trait.value).mean()
            assert trait.lift == pytest.approx(trait.share / overall, rel=1e-6)


def test_predictive_attributes_equal_their_mutual_information(model):
    table = load_mushroom().data
    p = model.predict_proba(table)
    for each in model.components()[:3]:
        here = p[:, each.label].round()
        best = each.predictive[0]
        joint = pd.crosstab(table[best.attribute], here, normalize=True).to_numpy()
        apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
        some = joint > 0
        exact = (joint[some] * np.log(joint[some] / apart[some])).sum()
        assert best.information == pytest.approx(exact, abs=0.01)
        assert best.share == pytest.approx(1.0, abs=0.6) and best.share <= 1.0


def test_the_profile_is_a_frame_of_words(model):
    profile = model.profile()
    assert list(profile) == COLUMNS and len(profile) == model.n_components_
    first = profile.iloc[0]
    assert first["name"].startswith("gill-color=buff")
    assert "gill-color=buff (100%, 4.7 times as common)" in first["defining"]
    assert first["predictive"].startswith("gill-color (100%)")
    assert "class=poisonous" in first["typical"]


def test_numbers_have_their_place(mixed_model):
    for each in mixed_model.components():
        assert [trait.attribute for trait in each.typical] == list(mixed_model.schema_.names)
        assert 1 <= len(each.predictive) <= 3
        assert each.predictive[0].information >= each.predictive[-1].information


def test_one_component_is_told_by_nothing():
    table = np.random.default_rng(0).choice(list("ab"), (100, 3))
    (only,) = Galileo(1, random_state=0).fit(table).components()
    assert only.predictive == () and only.name == "like all records"
    assert len(only.typical) == 3
