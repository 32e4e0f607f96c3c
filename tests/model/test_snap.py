"""Snaps only ever help, and sometimes do."""

import numpy as np
import pytest

from building import KERNELS, random_mixture, table_of
from galileomix._model.em import Stop, em
from galileomix._model.snap import GAIN, snap

STOP = Stop(1e-10, 500)


def before_and_after(seed, kernel):
    table = table_of(np.random.default_rng(seed).integers(0, 3, (40, 4)))
    records = table.records(kernel)
    fit = em(records, random_mixture(table.layout, 3, seed), stop=STOP)
    return records, fit, snap(records, fit, STOP)


@pytest.mark.parametrize("seed", range(6))
def test_a_snap_never_lowers_the_log_likelihood(seed):
    _, fit, snapped = before_and_after(seed, KERNELS[-1])
    assert np.isfinite(snapped.log_likelihood)
    assert snapped.k == fit.k
    assert snapped is fit or snapped.log_likelihood > fit.log_likelihood + GAIN


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-9:])
def test_a_snap_gets_em_to_a_better_optimum(kernel):
    """On a table of pure chance EM stops short of the border; a snap takes it there."""
    records, fit, snapped = before_and_after(1, kernel)
    assert snapped.log_likelihood > fit.log_likelihood + 1.0
    assert snapped.stats.weight.sum() == pytest.approx(records.N)
    assert (snapped.mixture.p < 1e-6).sum() > (fit.mixture.p < 1e-6).sum()


def test_a_snap_of_one_component_changes_nothing():
    records = table_of([[0, 0], [0, 1], [1, 1]]).records()
    fit = em(records, records.everything)
    assert snap(records, fit, STOP) is fit


def test_a_gain_that_is_a_rounding_of_the_whole_is_none():
    """Of rows that weigh 1e12 a search for such gains did not end."""
    rng = np.random.default_rng(4)
    rows, weights = rng.integers(0, 3, (40, 4)), np.where(np.arange(40) % 2, 1.0, 1e12)
    table = table_of(rows, numbers=1e-60 * rng.normal(size=(40, 2)), weights=weights)
    fit = em(table.records(), random_mixture(table.layout, 3, 4), stop=STOP)
    assert fit.log_likelihood > 1e14
    assert snap(table.records(), fit, STOP) is fit
