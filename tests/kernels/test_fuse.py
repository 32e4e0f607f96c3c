"""Joint columns: nothing is lost, nothing is made up."""

import pickle
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._kernels import cpu, reference
from galileomix._kernels.fuse import fused, plan
from galileomix._model.params import Layout, Mixture
from galileomix._table import Block

layouts = st.lists(st.integers(1, 30), min_size=1, max_size=12).map(lambda x: Layout(tuple(x)))


@given(layouts, st.booleans(), st.integers(0, 20))
def test_every_attribute_stands_in_one_column(layout, some_missing, bits):
    columns = plan(layout, some_missing, bits).columns
    assert sorted(m for column in columns for m in column) == list(range(layout.n_categorical))


@given(layouts, st.booleans(), st.integers(1, 60), st.integers(0, 2**32))
def test_members_are_the_values_of_the_record(layout, missing, n, seed):
    sizes = np.array(layout.cardinalities)
    codes = np.random.default_rng(seed).integers(sizes + missing, size=(n, len(sizes)))
    block = Block(codes.astype(np.uint8), np.zeros((n, 0)), np.ones(n))
    for steps in (1, n, 10**6):
        chosen, joint = fused(block, layout, steps)
        starts = chosen.members.starts
        for code, row in zip(codes, joint.astype(int), strict=True):
            members = [chosen.members.of[starts[r] : starts[r + 1]] for r in row]
            known = code < sizes
            expected = [*(layout.offsets[:-1] + code)[known], layout.n_values]
            assert sorted(np.concatenate(members)) == sorted(expected)


def test_columns_are_kept_with_the_block_and_go_with_it():
    layout = Layout((2, 2))
    block = Block(np.zeros((3, 2), np.uint8), np.zeros((3, 0)), np.ones(3))
    codes = fused(block, layout, 3)[1]
    assert fused(block, layout, 3)[1] is codes
    assert not pickle.loads(pickle.dumps(block)).cache
    freed = weakref.ref(codes)
    del block, codes
    assert freed() is None


def test_other_attributes_of_the_same_block_have_other_columns():
    block = Block(np.ones((3, 2), np.uint8), np.zeros((3, 0)), np.ones(3))
    for layout in (Layout((2, 2)), Layout((2, 3)), Layout((2, 2))):
        assert fused(block, layout, 3)[0].columns == plan(layout, False, 2).columns


def test_a_table_of_numbers_has_one_column_for_the_weights():
    chosen, codes = fused(
        Block(np.zeros((3, 0), np.uint8), np.ones((3, 1)), np.ones(3)), Layout((), 1), 3
    )
    assert chosen.members.of.tolist() == [0]
    assert codes.tolist() == [[0], [0], [0]]


@pytest.mark.parametrize("n_constant", [1, 31, 32, 33, 64, 500])
@pytest.mark.parametrize("missing", [False, True])
def test_any_number_of_attributes_of_one_value(n_constant, missing):
    sizes = np.array([3, *[1] * n_constant, 2])
    layout = Layout(tuple(sizes.tolist()))
    codes = np.random.default_rng(n_constant).integers(sizes + missing, size=(40, len(sizes)))
    block = Block(codes.astype(np.uint8), np.zeros((40, 0)), np.ones(40))
    uniform = Mixture(layout, np.ones(1), (1.0 / sizes)[layout.attribute_of_value][:, None])
    ours, theirs = cpu.expect(block, uniform), reference.expect(block, uniform)
    np.testing.assert_allclose(ours.sums, theirs.sums, rtol=1e-12)
    assert ours.log_likelihood == pytest.approx(theirs.log_likelihood, rel=1e-12)
