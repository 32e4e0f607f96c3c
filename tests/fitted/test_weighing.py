import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix._estimators.parameters import new_table
from galileomix._fitted.predictive import STRENGTHS
from galileomix._fitted.weighing import FOLDS, Judged, dealt, in_folds
from galileomix._table import Block
from galileomix.datasets import make_rules


def block_of(numbers, weights):
    values = np.asarray(numbers, dtype=float)[:, None]
    return Block(np.zeros((len(values), 0), np.uint8), values, np.asarray(weights, dtype=float))


def by_value(fold):
    return pd.Series(fold.weights).groupby(fold.numbers[:, 0]).sum().to_dict()


def test_folds_share_out_every_record():
    weights = np.random.default_rng(0).uniform(0.1, 5.0, 40)
    folds = dealt(block_of(np.arange(40), weights))
    found = pd.concat([pd.Series(by_value(fold)) for fold in folds]).groupby(level=0).sum()
    np.testing.assert_allclose(found.to_numpy(), weights)
    sums = [fold.weights.sum() for fold in folds]
    assert max(sums) - min(sums) <= 1.0


def test_a_weight_is_dealt_out_as_copies_are():
    copies = dealt(block_of([7, 7, 8, 9, 9, 9, 9], np.ones(7)))
    weighted = dealt(block_of([7, 8, 9], [2, 1, 4]))
    assert [by_value(fold) for fold in copies] == [by_value(fold) for fold in weighted]


def test_a_record_is_judged_by_counts_without_its_fold():
    fitted = Galileo(random_state=0, n_components=1).fit(pd.DataFrame({"x": list("aaaabbbbc")}))
    model = fitted._model
    block = next(rows.block for rows in new_table(fitted, [[v] for v in "aaaabbbbc"]).coded_rows())
    G = model.background.G[:, 0]
    judged = in_folds(block, model.background, STRENGTHS, lambda: None)
    found = np.exp(judged.left_out(model.mixtures[1], 9.0)(2.0))
    expected = []
    for f in range(FOLDS):
        rest = np.delete(block.codes[:, 0], np.s_[f::FOLDS])
        counts = np.bincount(rest, minlength=len(G))
        shrunk = (counts + 2.0 * G) / (len(rest) + 2.0)
        expected += shrunk[block.codes[f::FOLDS, 0]].tolist()
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_few_exceptions_do_not_choose_the_strength():
    """One record far out would have any size smoothed as much as can be."""
    usual, smoother = np.full(100, -1.0), np.full(100, -2.0)
    usual[0] = -1e4
    records = block_of(np.arange(100), np.ones(100))

    def left_out(mixture, N):
        return {1.0: usual, 32.0: smoother}.__getitem__

    background = anything = None
    judged = Judged(records, background, (1.0, 32.0), left_out)
    assert judged.mean(smoother) > judged.mean(usual)
    judged = judged.beside(anything, 100.0)
    assert judged.mean(usual) > judged.mean(smoother)


def test_where_there_is_nothing_to_find_one_component_predicts():
    """Left out analytically, larger sizes seemed better than they are."""
    rng = np.random.default_rng(0)
    gains = []
    for seed in range(3):
        table = pd.DataFrame(rng.integers(3, size=(900, 6)).astype(str))
        model = Galileo(random_state=seed, effort=0.1).fit(table[:150])
        alone = Galileo(random_state=seed, n_components=1).fit(table[:150])
        both = [one.explain(table[150:]).log_density.mean() for one in (model, alone)]
        gains.append(both[0] - both[1])
    assert np.mean(gains) > -0.02


def test_rows_that_repeat_are_weighed_as_rows_of_that_weight():
    table = make_rules(150, random_state=0).data
    twice = pd.concat([table, table], ignore_index=True)
    weighted = Galileo(random_state=0, effort=0.1).fit(table, sample_weight=np.full(150, 2.0))
    repeated = Galileo(random_state=0, effort=0.1).fit(twice)
    assert repeated.predictive_weights_ == pytest.approx(weighted.predictive_weights_)
