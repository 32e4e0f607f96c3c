"""The compiled kernel says what the specification says, on any block."""

import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from building import covariances
from galileomix._kernels import cpu, reference
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.params import LOG_ZERO, Layout, Mixture
from galileomix._table import Block, narrowest

SIZES = [1, 2, 2, 3, 4, 7, 20, 70]
anything = settings(deadline=None, max_examples=100)


def make_block(layout, n, rng, *, missing=False, weighted=False):
    """Random rows; some values missing, some rows of no weight."""
    dtype = narrowest(max(layout.cardinalities, default=0))
    codes = np.empty((n, layout.n_categorical), dtype)
    for m, size in enumerate(layout.cardinalities):
        codes[:, m] = rng.integers(size + missing, size=n)
    numbers = rng.normal(size=(n, layout.n_numeric))
    if missing:
        numbers[rng.random(numbers.shape) < 0.3] = np.nan
    return Block(codes, numbers, rng.integers(4, size=n) / 2.0 if weighted else np.ones(n))


def make_mixture(layout, k, rng, *, zeros=False):
    """Random components, from even to extreme; some impossible values."""
    p = rng.random((layout.n_values, k)) ** rng.integers(1, 12)
    if zeros:
        p[rng.random(p.shape) < 0.3] = 0.0
        p[layout.offsets[:-1]] += 0.1
    p /= layout.per_attribute(p)[layout.attribute_of_value]
    mu = rng.normal(size=(layout.n_numeric, k))
    Sigma = covariances(layout.n_numeric, k, rng)
    if layout.diagonal:
        Sigma *= np.eye(layout.n_numeric)[:, :, None]
    return Mixture(layout, rng.dirichlet(np.ones(k)), p, mu, Sigma)


def make_cuts(layout, k, rng, n_cuts):
    """Rules of any component on any attribute, in no order."""
    M, Q = layout.n_categorical, layout.n_numeric
    attribute = rng.integers(M + Q + M, size=n_cuts)
    sizes = np.array([*layout.cardinalities, *[1] * Q, *layout.cardinalities])
    is_number = (attribute >= M) & (attribute < M + Q)
    value = np.where(is_number, rng.normal(size=n_cuts), rng.integers(sizes[attribute]))
    return Cuts(rng.integers(k, size=n_cuts), attribute, value)


def make_halves(layout, k, rng, n_pairs, **options):
    """Pairs within some of the components."""
    parent = np.sort(rng.integers(k, size=n_pairs))
    return Halves(parent, make_mixture(layout, 2 * n_pairs, rng, **options))


@st.composite
def cases(draw):
    """A block and all that can be asked of it, and how near the answers must be."""
    cardinalities = tuple(draw(st.lists(st.sampled_from(SIZES), max_size=9)))
    n_numeric = draw(st.integers(0 if cardinalities else 1, 3))
    layout = Layout(cardinalities, n_numeric, draw(st.booleans()))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    missing, weighted, zeros = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    block = make_block(layout, draw(st.integers(1, 300)), rng, missing=missing, weighted=weighted)
    k = draw(st.integers(1, 9))
    mixture = make_mixture(layout, k, rng, zeros=zeros)
    cuts = make_cuts(layout, k, rng, draw(st.integers(1, 20)))
    halves = make_halves(layout, k, rng, draw(st.integers(1, 9)), zeros=zeros)
    # Beside hundreds of millions, which stand for log 0, some seven digits are left.
    return block, mixture, cuts, halves, 1e-6 if zeros else 1e-10


def answers(kernel, block, mixture, cuts, halves):
    """Everything a kernel can be asked, by name."""
    split = kernel.expect_halves(block, mixture, halves)
    stats = {
        "expect": kernel.expect(block, mixture),
        "count_cuts": kernel.count_cuts(block, mixture, cuts),
        "expect_halves": split.stats,
    }
    found = {
        "log_joint": kernel.log_joint(block, mixture),
        "gains": split.gains,
    }
    for name, one in stats.items():
        found[f"{name} log_likelihood"] = np.array(one.log_likelihood)
        for part in ("weight", "counts", "total", "product"):
            found[f"{name} {part}"] = getattr(one, part)
    return found


def assert_close(ours, theirs, rtol=1e-10):
    assert ours.keys() == theirs.keys()
    for name, answer in ours.items():
        assert answer.shape == theirs[name].shape, name
        assert np.isfinite(answer).all(), name
        # A gain is a difference of sums that hold what stands for log 0, by shares of a record.
        atol = rtol * abs(LOG_ZERO) if "gains" in name and rtol > 1e-10 else rtol / 10
        np.testing.assert_allclose(answer, theirs[name], rtol, atol, err_msg=name)


@anything
@given(cases())
def test_agrees_with_the_reference(case):
    *asked, rtol = case
    assert_close(answers(cpu, *asked), answers(reference, *asked), rtol)


@anything
@given(cases(), st.integers(1, 40))
def test_sum_over_blocks_is_the_whole(case, size):
    block, *asked, rtol = case
    whole = answers(cpu, block, *asked)
    parts = [
        answers(
            cpu,
            Block(block.codes[rows], block.numbers[rows], block.weights[rows]),
            *asked,
        )
        for rows in (slice(a, a + size) for a in range(0, len(block), size))
    ]
    joint = np.concatenate([part.pop("log_joint") for part in parts])
    added = {name: np.sum([part[name] for part in parts], axis=0) for name in parts[0]}
    added["log_joint"] = joint
    assert_close(added, whole, rtol)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("cardinalities", [(255,), (256,), (300, 2), (2, 70_000, 3), (65_530,)])
def test_wide_columns(cardinalities, missing):
    layout, rng = Layout(cardinalities), np.random.default_rng(0)
    block = make_block(layout, 100, rng, missing=missing)
    mixture, cuts = make_mixture(layout, 3, rng), make_cuts(layout, 3, rng, 4)
    ours, theirs = ([f(block, mixture) for f in (k.expect, k.log_joint)] for k in (cpu, reference))
    np.testing.assert_allclose(ours[0].counts, theirs[0].counts, 1e-10)
    np.testing.assert_allclose(ours[1], theirs[1], 1e-10)
    ours, theirs = (k.count_cuts(block, mixture, cuts).counts for k in (cpu, reference))
    np.testing.assert_allclose(ours, theirs, 1e-10)


def test_many_columns_of_few_values():
    layout, rng = Layout((2, 3) * 150, 1), np.random.default_rng(0)
    block = make_block(layout, 3000, rng, missing=True)
    mixture = make_mixture(layout, 5, rng)
    asked = (block, mixture, make_cuts(layout, 5, rng, 9), make_halves(layout, 5, rng, 7))
    assert_close(answers(cpu, *asked), answers(reference, *asked))


def test_same_bits_from_many_threads():
    layout, rng = Layout((2, 3, 3, 4, 30), 1), np.random.default_rng(0)
    block = make_block(layout, 2000, rng, missing=True, weighted=True)
    asked = (
        make_mixture(layout, 7, rng),
        make_cuts(layout, 7, rng, 9),
        make_halves(layout, 7, rng, 9),
    )
    expected = answers(cpu, block, *asked)
    shared = replace(block)
    with ThreadPoolExecutor(8) as pool:
        # Copies of the block fuse their columns anew, all at once; the shared one races itself.
        blocks = [shared if turn % 2 else replace(block) for turn in range(32)]
        for found in pool.map(lambda block: answers(cpu, block, *asked), blocks):
            assert all(np.array_equal(found[name], answer) for name, answer in expected.items())


def test_tables_are_kept_with_the_mixture_and_go_with_it():
    layout, rng = Layout((2, 3), 1), np.random.default_rng(0)
    block, mixture = make_block(layout, 50, rng), make_mixture(layout, 3, rng)
    cpu.expect(block, mixture)
    [table] = mixture.cache.values()
    cpu.expect(block, mixture)
    assert next(iter(mixture.cache.values())) is table
    assert not pickle.loads(pickle.dumps(mixture)).cache
    freed = weakref.ref(table)
    del mixture, table
    assert freed() is None


def test_pairs_must_be_sorted_by_parent():
    layout, rng = Layout((2,)), np.random.default_rng(0)
    halves = Halves(np.array([1, 0]), make_mixture(layout, 4, rng))
    with pytest.raises(AssertionError, match="sorted"):
        cpu.expect_halves(make_block(layout, 5, rng), make_mixture(layout, 2, rng), halves)


@anything
@given(cases())
def test_a_draft_is_nearly_exact(case):
    block, mixture, *_, rtol = case
    if rtol > 1e-10:
        return  # impossible values: see below
    draft, exact = cpu.draft(block, mixture), reference.expect(block, mixture)
    assert draft.sums.dtype == np.float64
    np.testing.assert_allclose(draft.sums, exact.sums, rtol=1e-3, atol=1e-4 * block.weights.sum())
    assert draft.log_likelihood == pytest.approx(exact.log_likelihood, rel=1e-6, abs=1e-5)


def test_on_many_records_errors_cancel():
    layout, rng = Layout((20,) * 10), np.random.default_rng(0)
    block, mixture = make_block(layout, 8192, rng), make_mixture(layout, 50, rng)
    draft, exact = cpu.draft(block, mixture), reference.expect(block, mixture)
    assert draft.log_likelihood == pytest.approx(exact.log_likelihood, rel=1e-8)
    np.testing.assert_allclose(draft.sums, exact.sums, rtol=1e-5, atol=1e-3)


def test_records_that_no_component_allows_go_where_they_go_in_double():
    layout, rng = Layout((3,) * 8), np.random.default_rng(1)
    block, mixture = make_block(layout, 500, rng), make_mixture(layout, 4, rng, zeros=True)
    draft, exact = cpu.draft(block, mixture), reference.expect(block, mixture)
    np.testing.assert_allclose(draft.sums, exact.sums, rtol=2e-2, atol=1.0)
