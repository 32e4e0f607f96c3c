"""The classes of a table, each with kinds of its own, as one mixture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from galileomix._estimators import left_out
from galileomix._estimators.galileo import Galileo
from galileomix._estimators.left_out import Lean
from galileomix._fitted.fitting import records_of, units_of, warn_of_doubts
from galileomix._kernels import cpu
from galileomix._model import class_calibration
from galileomix._model.criteria import Criterion, best
from galileomix._model.em import Fit, em
from galileomix._model.infer import smoothed
from galileomix._model.params import Floats, Layout, Mixture
from galileomix._model.stats import Background, not_flat
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords, layout_of
from galileomix._table import (
    Block,
    Folder,
    Prepared,
    bytes_of,
    collapse,
    hash_rows,
    in_blocks,
    store,
)

BROAD = 0.5
"""The weight, in a class of several kinds, of the whole class as one component beside them."""
WORTH = 0.99
"""Kinds alone must bring the loss down to this share of what it is with the broad component beside
them: a record left out has still had its part in where they were found."""
S_ALL, S_CLASS = 1.0, 2.0
"""How many records' worth of all records a class is given, and of the class its components."""
JUDGED = 16_384
"""The most records, of all classes, that say how sure a prediction may be."""
FEWEST_JUDGED = 256
KEY = 1
"""Keeps the hashes that choose them apart from others."""


class ClassSearch(Galileo):
    """The search of a `Galileo` in all records of a table, and in those of one class."""

    def prepared(self, X: object, sample_weight: object, folder: Folder) -> Prepared:
        """Return the table in blocks."""
        return self._prepared(X, sample_weight, folder)

    def records(self, blocks: Sequence[Block], table: Prepared) -> BlockRecords:
        """Return some rows of a table to pass over."""
        layout = layout_of(table.schema, self.covariance == "diagonal")
        return records_of(blocks, layout, min(self.prior_strength, 1.0), self.n_jobs)

    def kinds(self, records: BlockRecords, table: Prepared) -> tuple[Fit, Fit]:
        """Return the whole class as one component, and its kinds."""
        # What is too much for one class need not be for the table: no warning.
        if self.max_components != "auto":
            most = max(records.n_rows, int(records.N))
            self.max_components = min(self.max_components, most)
        settings = self._settings(records)
        whole = em(records, records.everything, stop=settings.stop)
        fits = self._search(records, settings, units_of(table.schema, records))
        # Not to describe the class but to tell it from others: here more kinds pay.
        chosen = best(fits, Criterion("aic", records.N))
        warn_of_doubts(chosen, settings, records)
        return whole, chosen


@dataclass(frozen=True, eq=False)
class ClassMixture:
    """One class of a table.

    Parameters
    ----------
    whole, kinds : Mixture
        The class as one component, and its kinds, as they lean.
    lean : Lean
        What they lean on.
    sample : Block
        Records that say how sure a prediction may be.
    n_iter, n_passes : int
        What the search took.
    converged : bool
    """

    whole: Mixture
    kinds: Mixture
    lean: Lean
    sample: Block
    n_iter: int
    n_passes: int
    converged: bool

    @property
    def weights(self) -> Floats:
        """What each record of the sample stands for, of the whole class."""
        weights = self.sample.weights
        return weights * (self.lean.N / weights.sum())

    def parts(self, broad: float) -> list[tuple[float, Mixture]]:
        """Return what the class is made of, each with its share."""
        if self.kinds.k == 1:
            return [(1.0, self.whole)]
        parts = [(broad, self.whole), (1.0 - broad, self.kinds)]
        return [(share, part) for share, part in parts if share > 0]


def class_mixtures(
    settings: Mapping[str, Any],
    table: Prepared,
    classes: NDArray[np.intp],
    everything: BlockRecords,
) -> list[ClassMixture]:
    """Fit every class.

    Parameters
    ----------
    settings : mapping
        The parameters of a `Galileo`.
    table : Prepared
    classes : ndarray of int
        The class of each row of the table's blocks.
    everything : BlockRecords
        All of them.
    """
    n_classes = int(classes.max()) + 1
    most = max(JUDGED // n_classes, FEWEST_JUDGED)
    return [
        _class_mixture(ClassSearch(**settings), table, classes == c, everything, most)
        for c in range(n_classes)
    ]


def _class_mixture(
    search: ClassSearch,
    table: Prepared,
    mine: NDArray[np.bool_],
    everything: BlockRecords,
    most: int,
) -> ClassMixture:
    with Folder() as folder:
        parts = in_blocks(_rows(table.blocks, mine))
        limit = bytes_of(search.memory_limit)
        blocks = store(parts, table.schema, folder, limit, weighted=True)
        # Where rows repeat, all that follows has less to do.
        blocks = collapse(LocalEngine(blocks, search.n_jobs).sum) or blocks
        records = search.records(blocks, table)
        fits = search.kinds(records, table)
        sample = _sample(blocks, most)
    background, N = everything.background, records.N
    whole, kinds = (_among_all(each.mixture, everything.layout, background) for each in fits)
    middle = smoothed(whole, background, N, S_ALL)
    own = background.within(middle, np.zeros(1, np.intp))
    whole, kinds = (smoothed(each, own, N, S_CLASS) for each in (whole, kinds))
    lean = Lean(N, middle.p, background.G, S_ALL, S_CLASS)
    found = fits[1]
    passes = records.n_passes
    return ClassMixture(whole, kinds, lean, sample, found.n_iter, passes, found.converged)


def _rows(blocks: Sequence[Block], mine: NDArray[np.bool_]) -> Iterator[Block]:
    first = 0
    for block in blocks:
        yield block.rows(mine[first : first + len(block)])
        first += len(block)


def _sample(blocks: Sequence[Block], most: int) -> Block:
    """Return the rows of the least hashes: the same whatever their order, equal rows together."""
    hashes = [hash_rows(block, KEY) for block in blocks]
    different = np.unique(np.concatenate(hashes))
    last = different[min(most, len(different)) - 1]
    kept = [block.rows(hash <= last) for block, hash in zip(blocks, hashes, strict=True)]
    names = ("codes", "numbers", "weights")
    return Block(*(np.concatenate([getattr(each, name) for each in kept]) for name in names))


def _among_all(mixture: Mixture, layout: Layout, background: Background) -> Mixture:
    """Return the mixture of a class among all records, where its constant numbers may differ."""
    Sigma = mixture.Sigma.copy()
    for q in set(mixture.layout.constant) - set(layout.constant):
        Sigma[q] = Sigma[:, q] = 0.0
    parts = (mixture.alpha, mixture.p, mixture.mu, not_flat(Sigma, background.width))
    return Mixture(layout, *parts)


@dataclass(frozen=True, eq=False)
class Classes:
    """All classes as one mixture, the largest component first.

    Parameters
    ----------
    mixture : Mixture
    temperature : float
    probabilities : ndarray of shape (n_classes, k)
        P(class | component).
    loss : float
        The log-loss of the samples, each record left out.
    """

    mixture: Mixture
    temperature: float
    probabilities: Floats
    loss: float


def joined(each: Sequence[ClassMixture]) -> Classes:
    """Return the classes as one mixture, with a broad component or without, by what is lost."""
    beside = _joined(each, BROAD)
    alone = _joined(each, 0.0)
    return alone if alone.loss < WORTH * beside.loss else beside


def _joined(each: Sequence[ClassMixture], broad: float) -> Classes:
    N = np.array([one.lean.N for one in each])
    overall = N / N.sum()
    parts = [one.parts(broad) for one in each]
    mixture = _one_mixture(parts, overall)
    own = np.repeat(np.eye(len(each)), [sum(part.k for _, part in one) for one in parts], axis=1)
    # A class of a single record says nothing when it is left out.
    judged = [c for c in range(len(each)) if N[c] > 1.0]
    joints = [_judged(each[c], parts[c], mixture, own[c] > 0, N.sum()) for c in judged]
    joint = np.concatenate([np.zeros((0, mixture.k)), *joints])
    classes = np.repeat(np.array(judged, np.intp), [len(each[c].sample) for c in judged])
    weights = np.concatenate([np.zeros(0), *(each[c].weights for c in judged)])
    T = class_calibration.temperature(joint, own, classes, weights)
    shares = softmax(joint / T, axis=1)
    found = class_calibration.class_probabilities(shares, own, overall, classes, weights)
    loss = class_calibration.loss(shares, found, classes, weights)
    order = np.argsort(-mixture.alpha, kind="stable")
    return Classes(mixture.keep(order), T, found[:, order], loss)


def _one_mixture(parts: Sequence[list[tuple[float, Mixture]]], prior: Floats) -> Mixture:
    weighted = [
        part.weighted(weight * share * part.alpha)
        for one, weight in zip(parts, prior, strict=True)
        for share, part in one
    ]
    arrays = (
        np.ascontiguousarray(np.concatenate([getattr(one, name) for one in weighted], axis=-1))
        for name in ("alpha", "p", "mu", "Sigma")
    )
    return Mixture(weighted[0].layout, *arrays)


def _judged(
    one: ClassMixture,
    parts: list[tuple[float, Mixture]],
    mixture: Mixture,
    own: NDArray[np.bool_],
    N: float,
) -> Floats:
    """Return the log joint of the sample of a class, each record left out of it, (n, k)."""
    joint = cpu.log_joint(one.sample, mixture)
    alone = [
        left_out.log_joint(one.sample, part, one.lean) + np.log(share / N) for share, part in parts
    ]
    joint[:, own] = np.concatenate(alone, axis=1)
    return joint
