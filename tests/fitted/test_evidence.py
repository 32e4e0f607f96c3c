import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoDetector
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._fitted import evidence
from galileomix._fitted.evidence import Evidence, Yardstick
from galileomix._fitted.tail import Tail


@pytest.fixture(scope="module")
def with_a_small_cluster():
    """Two large clusters and one of 12 records, with values that the others have too."""
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1, 2], [500, 488, 12])
    typical = np.array([["a"] * 10, ["b"] * 10, ["a", "b"] * 5])
    other = rng.choice(["a", "b"], (1_000, 10))
    cells = np.where(rng.random(other.shape) < 0.05, other, typical[group])
    return pd.DataFrame(cells, columns=[f"x{m}" for m in range(10)]), group == 2


@pytest.fixture(scope="module")
def fitted(with_a_small_cluster):
    return GalileoDetector(Galileo(random_state=0)).fit(with_a_small_cluster[0])


def test_a_small_cluster_stands_out(with_a_small_cluster, fitted):
    _, small = with_a_small_cluster
    assert small[np.argsort(fitted.scores_)[:40]].sum() >= 11


def test_how_rare_a_cluster_is(with_a_small_cluster, fitted):
    """It is the share of records in clusters that are at most as large, in nats."""
    table, small = with_a_small_cluster
    model = model_of(fitted.model_)
    found = evidence.evidence_of_fitted(model, new_table(fitted.model_, table), np.array([1, 3]))
    np.testing.assert_allclose(np.median(found.cluster[small]), -np.log(0.012), atol=0.1)
    sizes = np.array([1, 2, 3])
    both = evidence.evidence_of_fitted(model, new_table(fitted.model_, table), sizes)
    assert (both.cluster[small] < found.cluster[small]).all()  # not seen at both sizes
    assert np.median(found.cluster[table.index < 500]) < 0.01
    np.testing.assert_allclose(model.judge(1).share_as_small, [1.0])
    alpha = model.judge(3).mixture.alpha
    expected = [alpha[alpha <= share].sum() for share in alpha]
    np.testing.assert_allclose(model.judge(3).share_as_small, expected)


def test_some_rows_from_all_over_the_table_show_what_is_usual(
    with_a_small_cluster, fitted, monkeypatch
):
    table, _ = with_a_small_cluster
    model, opened = model_of(fitted.model_), new_table(fitted.model_, table)
    every = evidence.evidence_of_fitted(model, opened, fitted.sizes_)
    some = evidence.evidence_of_fitted(model, opened, fitted.sizes_, step=7)
    for whole, part in zip(every, some, strict=True):
        np.testing.assert_allclose(part, whole[::7])
    monkeypatch.setattr(evidence, "MOST_ROWS", 250)
    quicker = GalileoDetector(Galileo(random_state=0)).fit(table)
    medians, spreads = evidence.usual_of(
        Evidence(*(part[::4] for part in every)), np.ones(len(table))[::4]
    )
    np.testing.assert_array_equal(quicker.medians_, medians)
    np.testing.assert_array_equal(quicker.spreads_, spreads)
    assert quicker.scores_.shape == (len(table),)


def evidence_of_cells(surprise):
    n = len(surprise)
    return Evidence(np.zeros((n, 1)), np.zeros(n), surprise, np.zeros(n))


def test_a_cell_is_unusual_beside_others_of_its_column():
    """What surprises as much is less unusual in a column that surprises often."""
    rng = np.random.default_rng(0)
    surprise = np.column_stack([rng.exponential(2.0, 2_000), rng.exponential(0.05, 2_000)])
    usual = evidence.usual_of(evidence_of_cells(surprise), np.ones(len(surprise)))
    judge = Yardstick(np.array([1]), *usual, Tail.of(np.zeros(1)))
    strange = evidence_of_cells(np.array([[6.0, 0.0], [0.0, 6.0], [0.0, 0.0]]))
    often, seldom, never = judge.away(strange)[:, -1]
    assert seldom > often + 2.0
    assert never < 0.0


def test_evidence_is_in_units_of_its_tail():
    """With every unit records are e times rarer; cells count from one unit above the median on."""
    rng = np.random.default_rng(1)
    drawn = rng.exponential([0.3, 4.0], (20_000, 2))
    found = evidence_of_cells(rng.exponential(1.0, (20_000, 6)))._replace(density=drawn)
    usual = evidence.usual_of(found, np.ones(20_000))
    judge = Yardstick(np.array([1, 2]), *usual, Tail.of(np.zeros(1)))
    first, second, _, cell = judge.away(found).T
    for unit in range(4):
        expected = 0.5 * np.exp(-unit)
        assert (first > unit).mean() == pytest.approx(expected, rel=0.1)
        assert (second > unit).mean() == pytest.approx(expected, rel=0.1)
        assert (cell > unit - 1.0).mean() == pytest.approx(expected, rel=0.2)


def test_what_is_rare_is_not_its_own_measure():
    rng = np.random.default_rng(1)
    usual = evidence_of_cells(rng.exponential(1.0, (5_000, 1)))._replace(
        density=rng.exponential(1.0, (5_000, 1))
    )
    strange = usual.density.copy()
    strange[:50] = 100.0
    spreads = [
        evidence.usual_of(usual._replace(density=density), np.ones(5_000))[1][0]
        for density in (usual.density, strange)
    ]
    assert spreads[1] == pytest.approx(spreads[0], rel=0.2)


def test_kinds_are_combined_and_sizes_are_one_kind():
    """The strongest counts, agreement adds, and what is usual takes nothing away."""
    away = np.array([[0.0] * 5, [8.0, 0, 0, 0, 0], [8.0, -9, -9, -9, -9], [8.0, 0, 0, 8.0, 0]])
    scores = evidence.combined(away, 3)
    assert scores[0] == 0.0
    assert scores[1] == scores[2] == pytest.approx(-8.0 + np.log(4.0), abs=0.01)
    assert scores[3] == pytest.approx(scores[1] - np.log(2.0), abs=0.01)
    one_of_two = evidence.combined(np.array([[0.0, 8.0, 0.0, 0.0, 0.0]]), 3)[0]
    assert one_of_two == pytest.approx(scores[1] + np.log(2.0), abs=0.01)
    assert evidence.combined(away[1:2, :3], 1)[0] == pytest.approx(-8.0 + np.log(4.0), abs=0.01)
