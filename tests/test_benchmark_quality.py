"""The benchmark of quality: how it judges, without measuring anything."""

import numpy as np
import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")
pytest.importorskip("stepmix")

from benchmarks import quality, quality_tables
from benchmarks.quality_methods import held_out

from galileomix import Galileo


def record(table, method, **figures):
    known = {"outliers": 0, "note": "", "records": 9, "attributes": 2, "classes": 2, "k": 2}
    measured = dict.fromkeys(quality.MEASURES) | figures
    return {"table": table, "method": method} | known | measured


def test_held_out_score_is_that_of_the_smoothed_mixture():
    rows = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    shares = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    # Two records in each component, and one of the global distribution: (1/2, 1/2), (1/4, 3/4).
    first = 0.5 * (2.5 / 3) * (1.25 / 3) + 0.5 * (0.5 / 3) * (0.25 / 3)
    unseen = 0.5 * (2.5 / 3) + 0.5 * (0.5 / 3)
    others = np.array([[0, 0], [0, 2]])
    expected = (np.log(first) + np.log(unseen)) / 2
    assert held_out(shares, rows, others) == pytest.approx(expected)


def test_held_out_score_is_near_galileo_s_own_where_nothing_is_impossible():
    data, _ = quality_tables.load("rules")
    model = Galileo(max_components=2, random_state=0).fit(data)
    codes = quality.codes_of(data)
    ours = held_out(model.predict_proba(data), codes, codes)
    assert ours == pytest.approx(model.score(data), abs=0.05)


def test_equals_share_a_rank_and_what_is_not_measured_has_none():
    records = [
        record("t", "Galileo", ari=0.50004, bic=10.0),
        record("t", "StepMix", ari=0.5, bic=10.2),
        record("t", "k-modes", ari=0.9),
    ]
    assert quality.ranks(records, "ari") == {"Galileo": [2.5], "StepMix": [2.5], "k-modes": [1.0]}
    assert quality.ranks(records, "bic") == {"Galileo": [1.0], "StepMix": [2.0]}
    assert quality.winners(records, "ari") == ["k-modes"]
    assert quality.winners(records, "bic") == ["Galileo"]


def test_what_is_shown():
    figures = {measure: 0.25 for measure in quality.MEASURES}
    records = [record("t", method, **figures) for method in quality.METHODS]
    shown = quality.render(records)
    assert "| Galileo | 3.50 |" in shown
    assert "| Rand index | 1 of 1 | – |" in shown
    assert shown.count("| t | 9 |") == len(quality.METHODS)


@pytest.mark.parametrize("name", [*quality_tables.PAPER, *quality_tables.GENERATED])
def test_the_class_is_not_among_the_columns(name):
    data, truth = quality_tables.load(name)
    assert truth.name not in data.columns and len(truth) == len(data)
    assert not data.isna().any(axis=None)
