import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

import galileomix
from galileomix import (
    Galileo,
    GalileoDetector,
    GalileoWarning,
    ModelFileError,
    ParameterError,
    TableError,
)
from galileomix.datasets import make_rules


@parametrize_with_checks([GalileoDetector(Galileo(criterion="aic", effort=0.1, random_state=0))])
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def planted():
    """A table of rules with records mixed from two of them: every value is common."""
    made = make_rules(2_000, random_state=0)
    rng = np.random.default_rng(1)
    rows = made.data.to_numpy()
    group = np.asarray(made.target)
    new = []
    while len(new) < 60:
        a, b = rng.integers(0, len(rows), 2)
        if group[a] != group[b]:
            new.append(np.where(rng.random(rows.shape[1]) < 0.5, rows[a], rows[b]))
    table = pd.concat([made.data, pd.DataFrame(new, columns=made.data.columns)])
    table = table.reset_index(drop=True).astype("category")
    return table, np.repeat([1, -1], [2_000, 60])


@pytest.fixture(scope="module")
def detector(planted):
    return GalileoDetector(contamination=0.03).fit(planted[0])


def test_planted_records_are_found(planted, detector):
    table, truth = planted
    found = detector.fit_predict(table)
    assert (found == -1).sum() == pytest.approx(0.03 * len(table), abs=2)
    assert ((found == -1) & (truth == -1)).sum() >= 40


def test_the_share_of_outliers_is_the_contamination(planted):
    """Of distinct scores exactly so many are below the offset, and those of the lowest scores."""
    table = planted[0].iloc[:400]
    detector = GalileoDetector(Galileo(random_state=0), contamination=0.25).fit(table)
    scores = detector.score_samples(table)
    assert np.isfinite(scores).all()
    outliers = detector.predict(table) == -1
    assert scores[outliers].max() < scores[~outliers].min()
    ties = (scores == detector.offset_).sum()
    assert 100 - ties <= outliers.sum() <= 100
    assert ((detector.decision_function(table) < 0) == outliers).all()


def test_new_records_are_judged_by_what_was_fitted(planted, detector):
    table, _ = planted
    whole = detector.score_samples(table)
    np.testing.assert_allclose(detector.score_samples(table.iloc[7:9]), whole[7:9], rtol=1e-12)


def test_a_value_never_seen_stands_out(planted, detector):
    table, _ = planted
    usual = table.iloc[[int(np.argmax(detector.score_samples(table)))]]
    strange = usual.astype(object)
    strange.iloc[0, 0] = "never seen"
    assert detector.score_samples(strange)[0] < detector.score_samples(usual)[0] - 1
    assert detector.predict(strange)[0] == -1
    assert detector.explain(strange).surprise.iloc[0].idxmax() == table.columns[0]


def test_p_values_are_ranks_among_the_fitted(planted, detector):
    table, _ = planted
    p = detector.explain(table).p_value
    scores = detector.score_samples(table)
    ranks = pd.Series(scores).rank(method="max") / len(table)
    np.testing.assert_allclose(p, ranks, atol=2e-3)
    assert p.min() == pytest.approx(2 / (len(table) + 1))  # itself, and one more
    new = make_rules(1_000, random_state=0).data
    fresh = detector.explain(new).p_value
    for share in (0.05, 0.1, 0.5):  # three standard errors, and the planted ones among the fitted
        assert (fresh <= share).mean() == pytest.approx(share, abs=0.06)


def test_a_row_of_few_cells_is_no_better_for_it():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 2000)
    table = pd.DataFrame(
        {f"x{m}": np.where(rng.random(2000) < 0.9, group, 1 - group) for m in range(8)}
    )
    table = table.astype(str).mask(rng.random(table.shape) < 0.4)
    detector = GalileoDetector(Galileo(missing="ignore", random_state=0)).fit(table)
    known = table.notna().sum(axis=1)
    outlier = detector.predict(table) == -1
    few, many = outlier[known <= 4].mean(), outlier[known >= 6].mean()
    assert few == pytest.approx(many, abs=0.08)


def test_weights_count_as_rows(planted):
    table = planted[0].iloc[:300]
    twice = GalileoDetector().fit(pd.concat([table, table]))
    weighted = GalileoDetector().fit(table, sample_weight=np.full(300, 2.0))
    np.testing.assert_allclose(weighted.score_samples(table), twice.score_samples(table), rtol=1e-6)
    assert weighted.offset_ == pytest.approx(twice.offset_)


def test_a_saved_detector_answers_the_same(planted, detector, tmp_path):
    table, _ = planted
    path = tmp_path / "strange.galileo"
    detector.save(path)
    for other in (GalileoDetector.load(path), galileomix.load(path)):
        assert isinstance(other, GalileoDetector) and other.contamination == 0.03
        np.testing.assert_array_equal(other.score_samples(table), detector.score_samples(table))
        assert other.offset_ == detector.offset_
        assert other.get_params()["model__criterion"] == "aic"
    again = GalileoDetector.from_dict(detector.to_dict())
    np.testing.assert_array_equal(again.predict(table), detector.predict(table))
    with pytest.raises(ModelFileError, match="this is a GalileoDetector, not a Galileo"):
        Galileo.load(path)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("offset_", "low", "offset_ is 'low', not a number that a score may be"),
        ("offset_", float("nan"), "offset_ is nan, not a number that a score may be"),
        ("medians_", [1.0], "medians_ is not an array of numbers of shape"),
        ("spreads_", None, "spreads_ is not an array of numbers of shape"),
        ("usual_scores_", None, "usual_scores_ is not an array of numbers"),
        ("parameters", {"contamination": 7.0}, "contamination=7.0: it must be a number above 0"),
        ("parameters", {"colour": 7.0}, "unexpected keyword argument 'colour'"),
        ("parameters", 3, "its parameters are 3, not a mapping"),
    ],
)
def test_a_damaged_file_is_refused(detector, name, value, message):
    data = detector.to_dict()
    data["extra"][name] = value
    data["arrays"]["extra"].pop(name, None)
    with pytest.raises(ModelFileError, match=message):
        GalileoDetector.from_dict(data)


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("usual_scores_", lambda x: x[::-1], "usual_scores_ is not in order"),
        (
            "usual_shares_",
            lambda x: [2 * share for share in x],
            "usual_shares_ are not between 0 and 1",
        ),
        ("spreads_", lambda x: [0.0 for _ in x], "not what surprises may be"),
        ("sizes_", lambda x: [size + 1 for size in x], "sizes_ are not"),
    ],
)
def test_forged_arrays_are_refused(detector, name, change, message):
    data = detector.to_dict()
    data["arrays"]["extra"][name] = change(data["arrays"]["extra"][name])
    with pytest.raises(ModelFileError, match=message):
        GalileoDetector.from_dict(data)


def test_a_function_is_not_saved_and_the_warning_names_this_file(detector, tmp_path):
    detector.model_.progress = print
    try:
        with pytest.warns(GalileoWarning, match="progress is a function") as caught:
            detector.save(tmp_path / "detector.galileo")
            detector.to_json()
    finally:
        detector.model_.progress = False
    assert [warning.filename for warning in caught] == [__file__] * 2


@pytest.mark.parametrize("value", [0, 0.6, -1, "auto", None, True])
def test_contamination_is_checked(value):
    with pytest.raises(ParameterError, match="contamination"):
        GalileoDetector(contamination=value).fit([["a"], ["b"]])


def test_bad_input_is_named():
    with pytest.raises(ParameterError, match="model=3: it must be a Galileo"):
        GalileoDetector(3).fit([["a"], ["b"]])
    with pytest.raises(NotFittedError):
        GalileoDetector().predict([["a"]])
    with pytest.raises(TableError, match="only once"):
        GalileoDetector().fit(iter([pd.DataFrame({"a": ["x"]})]))
