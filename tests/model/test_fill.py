"""Every size has a model, and none is less likely than a smaller one."""

import numpy as np
import pytest

from building import table_of
from galileomix._kernels import cpu
from galileomix._model.champions import Champions
from galileomix._model.criteria import criterion_of
from galileomix._model.em import DEFAULT_STOP, em
from galileomix._model.fill import Fill
from galileomix._model.grow import Limits, grow
from galileomix.datasets import make_rules


@pytest.fixture(scope="module")
def champions():
    made = make_rules(
        600, n_rules=9, n_attributes=8, n_values=6, values_per_rule=2, noise=0.1, random_state=1
    )
    records = table_of(made.data.to_numpy()).records(cpu)
    champions = Champions(criterion_of("bic", records.N))
    champions.offer(em(records, records.everything))
    *_, last = grow(records, champions.best(), champions.criterion, Limits(50), 2.0)
    champions.offer(em(records, last.stats))
    Fill(records, champions, 50, DEFAULT_STOP).run()
    return champions


def test_sizes_from_one_to_beyond_the_best(champions):
    sizes = sorted(champions.by_size)
    assert sizes == list(range(1, len(sizes) + 1))
    assert sizes[-1] >= champions.best().k + 2


def test_no_size_is_less_likely_than_a_smaller_one(champions):
    values = [fit.log_likelihood for fit in champions.fits()]
    assert (np.diff(values) >= 0).all()
