import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score
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

LEFT_OUT = "fitted records are left out of the model, and judged as new ones by predict"
EXCEPT = dict.fromkeys(["check_outliers_fit_predict", "check_outliers_train"], LEFT_OUT)


@parametrize_with_checks(
    [GalileoDetector(Galileo(criterion="aic", effort=0.01, random_state=0))],
    expected_failed_checks=lambda _: EXCEPT,
)
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
    return GalileoDetector(Galileo(random_state=0), contamination=0.03).fit(planted[0])


def test_planted_records_are_found(planted, detector):
    table, truth = planted
    found = detector.fit_predict(table)
    assert (found == -1).sum() == pytest.approx(0.03 * len(table), abs=2)
    assert ((found == -1) & (truth == -1)).sum() >= 40


def test_the_share_of_outliers_is_the_contamination(planted):
    """Of distinct scores exactly so many are below the offset, and those of the lowest scores."""
    table = planted[0].iloc[:400]
    detector = GalileoDetector(Galileo(random_state=0), contamination=0.25).fit(table)
    scores = detector.scores_
    assert np.isfinite(scores).all()
    outliers = scores < detector.offset_
    ties = (scores == detector.offset_).sum()
    assert 100 - ties <= outliers.sum() <= 100
    again = clone(detector).fit_predict(table)
    assert ((again == -1) == outliers).all()
    found = detector.predict(table) == -1
    assert ((detector.decision_function(table) < 0) == found).all()


def test_fitted_records_are_judged_left_out(planted, detector):
    """A record of which there is but one is usual only because it was fitted."""
    table, truth = planted
    as_new = detector.score_samples(table)
    alone = ~table.duplicated(keep=False) & (truth == -1)
    assert (detector.scores_[alone] < as_new[alone]).mean() > 0.9


def test_what_speaks_against_a_record_is_said(planted, detector):
    _, truth = planted
    kinds = pd.Series(detector.kinds_)
    assert set(kinds) <= {"rare values", "rare combination", "rare cluster", "one cell"}
    assert (kinds[truth == -1] != "rare values").mean() > 0.9


@pytest.fixture(scope="module")
def wrong_cells():
    """A table of rules in which some cells were replaced by other values of their column."""
    table = make_rules(2_000, random_state=0).data.astype(str)
    rng = np.random.default_rng(1)
    rows = rng.choice(len(table), 40, replace=False)
    cells = table.to_numpy(dtype=object)
    for row in rows:
        m = rng.integers(cells.shape[1])
        others = sorted(set(cells[:, m]) - {cells[row, m]})  # sets have no order
        cells[row, m] = rng.choice(others)
    found = pd.DataFrame(cells, columns=table.columns).astype("category")
    return found, np.isin(np.arange(len(table)), rows)


def test_a_wrong_cell_is_found_and_said_to_be_one(wrong_cells):
    table, wrong = wrong_cells
    detector = GalileoDetector(Galileo(random_state=0)).fit(table)
    assert average_precision_score(wrong, -detector.scores_) > 0.7
    assert (detector.kinds_[wrong] == "one cell").mean() > 0.6


def test_false_discoveries_are_few(wrong_cells):
    table, wrong = wrong_cells
    found = GalileoDetector(Galileo(random_state=0), fdr=0.05).fit_predict(table) == -1
    assert (found & ~wrong).sum() <= 0.1 * found.sum()
    assert (found & wrong).sum() >= 0.5 * wrong.sum()
    plain = make_rules(1_000, random_state=3).data
    none = GalileoDetector(Galileo(random_state=0), fdr=0.05).fit_predict(plain) == -1
    assert none.sum() <= 5


@pytest.mark.parametrize("shape", [(150, 2), (200, 3), (200, 4)])
@pytest.mark.parametrize("seed", [0, 1, 4])
def test_a_table_without_any_has_no_discoveries(shape, seed):
    """Categories have few different scores, each held by many records."""
    rng = np.random.default_rng(seed)
    columns = list("uvwx")[: shape[1]]
    table = pd.DataFrame(rng.choice(["a", "b"], shape), columns=columns)
    quick = Galileo(effort=0.1, random_state=0)
    assert (GalileoDetector(quick, fdr=0.05).fit_predict(table) == 1).all()
    weights = np.ones(len(table))
    weights[0] = 0.0
    detector = GalileoDetector(quick, fdr=0.05).fit(table, sample_weight=weights)
    assert np.isfinite(detector.offset_)


def test_a_record_is_no_rarer_than_itself():
    """Where records are often equal, as frequent as it is fitted, and as a new one."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.choice(["a", "b"], (200, 3), p=[0.8, 0.2]), columns=list("uvw"))
    detector = GalileoDetector(Galileo(effort=0.1, random_state=0)).fit(table)
    share = table.groupby(list(table), observed=True).size() / len(table)
    p = detector.explain(share.index.to_frame(index=False)).p_value.to_numpy()
    assert (p >= 0.7 * share.to_numpy() - 0.01).all()


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


def test_p_values_are_how_often_the_model_draws_such_a_record(detector):
    drawn, _ = detector.model_.sample(4_000)
    p = detector.explain(drawn).p_value
    for share in (0.01, 0.05, 0.1, 0.5):
        assert (p <= share).mean() == pytest.approx(share, abs=0.5 * share + 0.01)
    assert p.min() > 0


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
    alike = GalileoDetector().fit(table, sample_weight=2.0)
    np.testing.assert_array_equal(alike.scores_, weighted.scores_)


def test_a_saved_detector_answers_the_same(planted, detector, tmp_path):
    table, _ = planted
    path = tmp_path / "strange.galileo"
    detector.save(path)
    for other in (GalileoDetector.load(path), galileomix.load(path)):
        assert isinstance(other, GalileoDetector) and other.contamination == 0.03
        np.testing.assert_array_equal(other.score_samples(table), detector.score_samples(table))
        assert other.offset_ == detector.offset_
        assert other.get_params()["model__criterion"] == "bic"
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
def test_shares_are_checked(value):
    with pytest.raises(ParameterError, match="contamination"):
        GalileoDetector(contamination=value).fit([["a"], ["b"]])
    if value is not None:
        with pytest.raises(ParameterError, match=f"fdr={value!r}: it must be a number above 0"):
            GalileoDetector(fdr=value).fit([["a"], ["b"]])


def test_bad_input_is_named():
    with pytest.raises(ParameterError, match="model=3: it must be a Galileo"):
        GalileoDetector(3).fit([["a"], ["b"]])
    with pytest.raises(NotFittedError):
        GalileoDetector().predict([["a"]])
    with pytest.raises(TableError, match="only once"):
        GalileoDetector().fit(iter([pd.DataFrame({"a": ["x"]})]))
