"""Small tables and mixtures for the tests of the model, and their plain form for the oracle."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

import naive
from galileomix._kernels import cpu, reference
from galileomix._model.params import Layout, Mixture
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._table import Block

KERNELS = [reference, cpu]


@dataclass(frozen=True)
class Table:
    """Codes, numbers and weights as plain lists; None is missing."""

    rows: list
    cardinalities: tuple
    numbers: list
    weights: list
    ordered: tuple = ()

    @property
    def layout(self):
        return Layout(self.cardinalities, len(self.numbers[0]), ordered=self.ordered)

    def block(self, rows=slice(None)):
        """The table, or some rows of it, as a kernel reads it."""
        missing = np.array(self.cardinalities, dtype=np.uint8)
        codes = [
            [missing[m] if v is None else v for m, v in enumerate(row)] for row in self.rows[rows]
        ]
        numbers = [[np.nan if y is None else y for y in row] for row in self.numbers[rows]]
        n = len(self.weights[rows])
        return Block(
            np.array(codes, dtype=np.uint8).reshape(n, len(self.cardinalities)),
            np.array(numbers, dtype=float).reshape(n, self.layout.n_numeric),
            np.array(self.weights[rows], dtype=float),
        )

    def blocks(self, size):
        return [self.block(slice(a, a + size)) for a in range(0, len(self.rows), size)]

    def records(self, kernel=reference, block_rows=10_000, n_jobs=None):
        return BlockRecords(LocalEngine(self.blocks(block_rows), n_jobs), kernel, self.layout)


def table_of(rows, cardinalities=None, numbers=None, weights=None):
    """Return a table; as many values as occur, no numbers and weights of one unless given."""
    rows = [[None if v is None else int(v) for v in row] for row in rows]
    if cardinalities is None:
        known = [[v for v in column if v is not None] for column in zip(*rows, strict=True)]
        cardinalities = [max(column) + 1 for column in known]
    numbers = [[] for _ in rows] if numbers is None else [list(row) for row in numbers]
    weights = [1.0] * len(rows) if weights is None else [float(w) for w in weights]
    return Table(rows, tuple(cardinalities), numbers, weights)


def in_order(table, order):
    """Return some rows of a table, in the order given."""
    return table_of(
        [table.rows[a] for a in order],
        table.cardinalities,
        [table.numbers[a] for a in order],
        [table.weights[a] for a in order],
    )


@st.composite
def tables(draw, *, missing=False, max_numeric=0, max_rows=15):
    """Tables of a few attributes of a few values, with weights; missing values where asked for."""
    cardinalities = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    n_numeric = draw(st.integers(0, max_numeric))
    none = [st.none()] if missing else []
    row = st.tuples(*(st.one_of(st.integers(0, L - 1), *none) for L in cardinalities))
    number = st.one_of(st.integers(-8, 8).map(lambda x: x / 4), *none)
    rows = draw(st.lists(row, min_size=1, max_size=max_rows))
    n = len(rows)
    many = st.lists(st.tuples(*[number] * n_numeric), min_size=n, max_size=n)
    weights = st.lists(st.sampled_from([0.5, 1.0, 1.0, 2.0, 3.25]), min_size=n, max_size=n)
    return table_of(rows, cardinalities, draw(many), draw(weights))


seeds = st.integers(0, 2**32 - 1)


def random_mixture(layout, k, seed, impossible=0.0):
    """Return a mixture drawn at random; that share of its probabilities (about) is zero."""
    rng = np.random.default_rng(seed)
    parts = []
    for L in layout.cardinalities:
        part = rng.gamma(1.0, size=(L, k)) + 1e-3
        part[(rng.random((L, k)) < impossible) & (np.arange(L)[:, None] != rng.integers(L))] = 0.0
        parts.append(part / part.sum(axis=0))
    p = np.concatenate(parts) if parts else np.zeros((0, k))
    Q = layout.n_numeric
    alpha = rng.gamma(2.0, size=k) + 1e-3
    return Mixture(layout, alpha / alpha.sum(), p, rng.normal(size=(Q, k)), covariances(Q, k, rng))


def covariances(Q, k, rng):
    """Return covariances of any direction, none of them flat."""
    root = rng.normal(size=(Q, Q, k)) * 0.7
    return np.einsum("qri,sri->qsi", root, root) + 0.3 * np.eye(Q)[:, :, None]


def plain(mixture):
    """Return alpha and p as the oracle takes them: p[i][m][v]."""
    offsets = mixture.layout.offsets
    p = [[column[a:b].tolist() for a, b in pairwise(offsets)] for column in mixture.p.T]
    return mixture.alpha.tolist(), p


def plain_gaussians(mixture):
    """Return means and covariances as the oracle takes them, by component."""
    return mixture.mu.T.tolist(), mixture.Sigma.transpose(2, 0, 1).tolist()


def counted(block, layout, shares):
    """Return the statistics of records by given shares; all their numbers are known."""
    shares = np.asarray(shares, dtype=float)
    mixture = random_mixture(layout, shares.shape[1], seed=0)
    return reference.count(block, mixture, shares, np.arange(mixture.k))


def shares(table, mixture, i):
    """Return the weight of every record in component i, by the oracle's Bayes."""
    alpha, p = plain(mixture)
    pairs = zip(table.rows, table.weights, strict=True)
    return [w * naive.responsibilities(row, alpha, p)[i] for row, w in pairs]


def flat(stats):
    """Return every number of some statistics but the log-likelihood, in one array."""
    assert np.isfinite(stats.sums).all()
    return stats.sums.ravel()


def close(actual, expected, rtol=1e-9, atol=1e-9):
    """Assert that two arrays are finite and equal up to rounding."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert np.isfinite(actual).all()
    assert np.isfinite(expected).all()
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)
