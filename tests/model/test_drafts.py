"""Drafts on the way: what EM returns is in double precision and as good as without."""

import numpy as np
import pytest

from building import random_mixture
from galileomix._kernels import cpu, reference
from galileomix._model.em import Stop, em
from galileomix._model.params import layout_of
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._table import encode, read, summarise
from galileomix.datasets import make_rules


class Counting:
    """The compiled kernel; counts its drafts."""

    def __init__(self):
        self.n_drafts = 0

    def __getattr__(self, name):
        return getattr(cpu, name)

    def draft(self, block, mixture):
        self.n_drafts += 1
        return cpu.draft(block, mixture)


@pytest.fixture
def noisy(monkeypatch):
    monkeypatch.setattr("galileomix._passes.records.DRAFT_ROWS", 1000)
    table = read(make_rules(2000, n_rules=4, noise=0.4, random_state=0).data)
    schema = summarise(table).schema()
    return encode(table, schema), layout_of(schema)


def test_a_slow_run_drafts_and_ends_in_double(noisy):
    blocks, layout = noisy
    kernel = Counting()
    records = BlockRecords(LocalEngine(blocks), kernel, layout)
    start = random_mixture(layout, 4, seed=1)
    fit = em(records, start, stop=Stop(1e-10))
    assert fit.converged
    assert kernel.n_drafts > 5
    again = reference.expect(blocks[0], fit.mixture)
    assert fit.log_likelihood == pytest.approx(again.log_likelihood, rel=1e-9)
    np.testing.assert_allclose(fit.stats.sums, again.sums, rtol=1e-8, atol=1e-8)


def test_it_arrives_where_doubles_arrive(noisy):
    blocks, layout = noisy
    records = BlockRecords(LocalEngine(blocks), cpu, layout)
    start = random_mixture(layout, 4, seed=1)
    drafted = em(records, start, stop=Stop(1e-11, 5000))
    plain = em(records, start, stop=Stop(1e-11, 5000), plain=True)
    assert drafted.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-8)


def test_cut_short_while_drafting_it_still_ends_in_double(noisy):
    blocks, layout = noisy
    kernel = Counting()
    records = BlockRecords(LocalEngine(blocks), kernel, layout)
    fit = em(records, random_mixture(layout, 4, seed=1), stop=Stop(0.0, 8))
    assert kernel.n_drafts > 0
    again = reference.expect(blocks[0], fit.mixture)
    assert fit.log_likelihood == pytest.approx(again.log_likelihood, rel=1e-12)


def test_plain_em_never_drafts(noisy):
    blocks, layout = noisy
    kernel = Counting()
    records = BlockRecords(LocalEngine(blocks), kernel, layout)
    em(records, random_mixture(layout, 4, seed=1), stop=Stop(1e-7, 100), plain=True)
    assert kernel.n_drafts == 0
