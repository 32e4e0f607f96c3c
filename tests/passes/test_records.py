"""Records as sums over blocks: the same whatever the blocks, the threads and the kernel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import KERNELS, close, flat, random_mixture, seeds, table_of, tables
from galileomix._kernels import cpu, reference
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import layout_of
from galileomix._table import read, summarise


def passes(records, k=3, seed=0):
    """Every pass over the data, as one flat array."""
    layout = records.layout
    mixture = random_mixture(layout, k, seed)
    attributes = np.arange(layout.n_categorical + layout.n_numeric)
    cuts = Cuts(
        np.repeat(np.arange(k), len(attributes)),
        np.tile(attributes, k),
        np.zeros(k * len(attributes)),
    )
    parent = np.arange(k)
    halves = records.expect_halves(mixture, Halves(parent, random_mixture(layout, 2 * k, seed + 1)))
    return np.concatenate(
        [
            flat(records.everything),
            flat(records.expect(mixture)),
            [records.expect(mixture).log_likelihood],
            flat(records.count_cuts(mixture, cuts)),
            flat(halves.stats),
            halves.gains,
        ]
    )


@settings(deadline=None, max_examples=40)
@given(tables(missing=True, max_numeric=2), st.integers(1, 8), seeds, st.sampled_from(KERNELS))
def test_the_sum_over_blocks_is_the_whole(table, size, seed, kernel):
    whole = passes(table.records(kernel), seed=seed)
    close(passes(table.records(kernel, block_rows=size), seed=seed), whole)


@settings(deadline=None, max_examples=40)
@given(tables(missing=True, max_numeric=2), seeds)
def test_both_kernels_agree(table, seed):
    close(passes(table.records(cpu), seed=seed), passes(table.records(reference), seed=seed))


@pytest.mark.parametrize("kernel", KERNELS)
def test_threads_change_no_bit(kernel):
    rng = np.random.default_rng(0)
    table = table_of(
        rng.integers(0, 3, (60, 4)),
        numbers=rng.normal(size=(60, 2)),
        weights=rng.uniform(0.1, 3, 60),
    )
    one, four = (passes(table.records(kernel, 7, n_jobs)) for n_jobs in (None, 4))
    assert np.array_equal(one, four)


def test_n_is_the_sum_of_the_weights():
    records = table_of([[0], [1]], weights=[0.5, 3]).records()
    assert records.N == 3.5
    assert records.layout.n_values == 2


def test_passes_are_counted():
    records = table_of([[0], [1]]).records()
    before = records.n_passes
    records.expect(random_mixture(records.layout, 2, 0))
    assert records.n_passes == before + 1


@pytest.mark.parametrize("kernel", KERNELS)
def test_several_mixtures_are_asked_at_once(kernel):
    rng = np.random.default_rng(0)
    table = table_of(rng.integers(0, 3, (60, 4)), numbers=rng.normal(size=(60, 2)))
    records = table.records(kernel, 7)
    mixtures = [random_mixture(records.layout, k, k) for k in (1, 3, 5)]
    alone = [records.expect(mixture) for mixture in mixtures]
    before = records.n_passes
    together = records.expect_each(mixtures)
    assert records.n_passes == before + len(mixtures)
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.sums, other.sums)
        assert one.log_likelihood == other.log_likelihood


def test_the_layout_of_a_schema():
    layout = layout_of(
        summarise(read([["a", 1.5, "x"], ["b", 2.5, "x"], ["c", 0.5, "y"]])).schema()
    )
    assert layout.cardinalities == (3, 2)
    assert layout.n_numeric == 1
