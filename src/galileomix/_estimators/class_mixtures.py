"""The classes of a table, each with components of its own, as one mixture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from galileomix._fitted.fit import (
    FitSettings,
    chosen_of,
    records_of,
    rows_or_weight,
    search,
    warn_of_doubts,
)
from galileomix._fitted.left_out import LeftOut, Part, Shrinkage
from galileomix._fitted.predictive import shares_of, weigh
from galileomix._fitted.search_trace import SearchTrace
from galileomix._fitted.watch import Watch
from galileomix._fitted.weighing import Judged, one_by_one
from galileomix._kernels import KERNEL
from galileomix._model import class_calibration, covariance
from galileomix._model.criteria import InformationCriterion
from galileomix._model.em import Fit, Stop, em
from galileomix._model.families import smoothed
from galileomix._model.params import Floats, Layout, Mixture
from galileomix._model.stats import Background
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._progress import Parts
from galileomix._table import (
    Block,
    Folder,
    Prepared,
    collapse,
    concatenate,
    hash_rows,
    in_blocks,
    store,
)

BROAD = 0.5
"""The weight, in a class of several components, of the whole class as one more component."""
WORTH = 0.99
"""Leaving the broad component out must bring the loss down to this share: a record left out has
still had its part in where the components were found."""
S_ALL, S_CLASS = 1.0, 2.0
"""By how many records a class is shrunk towards all records, and the whole of it, as one component,
towards that."""
STRENGTHS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""By how many a component may be shrunk towards its class: few records are left of rare ones."""
JUDGED = 16_384
"""The most records, of all classes, by which predictions are calibrated."""
FEWEST_JUDGED = 256
KEY = 1
"""Keeps the hashes that choose them apart from others."""


@dataclass(frozen=True, eq=False)
class ClassMixture:
    """One class of a table: its mixtures are shrunk."""

    whole: Part  # the class as one component
    sizes: tuple[Part, ...]  # its components, of several sizes or of the chosen one
    shrinkage: Shrinkage  # what they are shrunk towards
    sample: Block  # records by which predictions are calibrated
    n_iter: int
    n_passes: int
    converged: bool

    @property
    def weights(self) -> Floats:
        """What each record of the sample stands for, of the whole class."""
        weights = self.sample.weights
        return weights * (self.shrinkage.N / weights.sum())

    def parts(self, broad: float) -> list[Part]:
        """Return what the class is made of; `broad` is the weight of the whole."""
        if all(part.mixture.k == 1 for part in self.sizes):
            return [self.whole]
        sizes = [replace(part, weight=(1.0 - broad) * part.weight) for part in self.sizes]
        return [replace(self.whole, weight=broad), *sizes] if broad > 0 else sizes


def class_mixtures(
    table: Prepared,
    classes: NDArray[np.intp],
    everything: BlockRecords,
    settings: FitSettings,
    memory_limit: int,
    watch: Watch,
) -> list[ClassMixture]:
    """Fit every class; `classes` are those of the rows of the table's blocks."""
    n_classes = int(classes.max()) + 1
    most = max(JUDGED // n_classes, FEWEST_JUDGED)
    found: list[ClassMixture] = []
    each_class = Parts(settings.report, "class", n_classes)
    settings = replace(settings, report=each_class.inner)
    for c in range(n_classes):
        each_class.begin("storing")
        with Folder() as folder:
            parts = in_blocks(_rows(table.blocks, classes == c))
            blocks = store(parts, table.schema, folder, memory_limit, weighted=True)
            found.append(_class_mixture(blocks, table, everything, settings, most, watch))
    return found


def _class_mixture(
    blocks: Sequence[Block],
    table: Prepared,
    everything: BlockRecords,
    settings: FitSettings,
    most: int,
    watch: Watch,
) -> ClassMixture:
    # Where rows repeat, all that follows has less to do.
    blocks = collapse(LocalEngine(blocks, settings.n_jobs).sum) or blocks
    records = records_of(blocks, table.schema, settings)
    whole, fits, chosen = _searched(records, table, settings, watch)
    background, layout, N = everything.background, everything.layout, records.N
    one = _among_all(whole.mixture, layout, background)
    middle = smoothed(one, background, N, S_ALL)
    own = background.within(middle, np.zeros(1, np.intp))
    shrinkage = Shrinkage(N, middle.p, background.G, S_ALL, S_CLASS)
    judged = one_by_one(_sample(blocks, most), own, shrinkage, STRENGTHS)
    # A number of components that is given is that of every class.
    several = settings.predictive == "stack" and settings.n_components == "auto"
    path = fits if several else [chosen]
    mixtures = {fit.k: _among_all(fit.mixture, layout, background) for fit in path}
    cost = (chosen.n_iter, records.n_passes, chosen.converged)
    return ClassMixture(
        Part(smoothed(one, own, N, S_CLASS), S_CLASS),
        tuple(_weighed(mixtures, chosen.k, judged, N)),
        shrinkage,
        judged.records,
        *cost,
    )


def _weighed(
    mixtures: Mapping[int, Mixture], chosen: int, judged: Judged, N: float
) -> Iterator[Part]:
    """Yield the sizes of a class that predict it together; of a single record nothing is left."""
    if N < 2.0:
        yield Part(smoothed(mixtures[chosen], judged.background, N, S_CLASS), S_CLASS)
        return
    for k, share in shares_of(weigh(mixtures, chosen, judged, N), judged, N).items():
        shrunk = smoothed(mixtures[k], judged.background, N, share.strength)
        yield Part(shrunk, share.strength, share.weight)


def _searched(
    records: BlockRecords, table: Prepared, settings: FitSettings, watch: Watch
) -> tuple[Fit, Sequence[Fit], Fit]:
    """Return the whole class as one component, its components by size, and the chosen ones."""
    # More than one class has records need not be too many for the table: no warning.
    most = rows_or_weight(records)
    if settings.max_components != "auto":
        settings = replace(settings, max_components=min(settings.max_components, most))
    if settings.n_components != "auto":
        settings = replace(settings, n_components=min(settings.n_components, most))
    whole = em(records, records.everything, stop=Stop(settings.tol, settings.max_iter))
    fits = search(records, table.schema, settings, watch, SearchTrace()).fits
    # The aim is not to describe the class but to tell it from others: more components pay.
    chosen = chosen_of(fits, InformationCriterion("aic", records.N), settings)
    warn_of_doubts(chosen, settings, records)
    return whole, fits, chosen


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
    pairs = zip(blocks, hashes, strict=True)
    return concatenate([block.rows(hash <= last) for block, hash in pairs])


def _among_all(mixture: Mixture, layout: Layout, background: Background) -> Mixture:
    """Return the mixture of a class among all records, where its constant numbers may differ."""
    Sigma = mixture.Sigma.copy()
    only_here = sorted(set(mixture.layout.constant) - set(layout.constant))
    covariance.isolate(Sigma, np.array(only_here, np.intp), 0.0)
    Sigma = covariance.not_flat(Sigma, background.width)
    return Mixture(layout, mixture.alpha, mixture.p, mixture.mu, Sigma)


@dataclass(frozen=True, eq=False)
class Classes:
    """All classes as one mixture, the largest component first."""

    mixture: Mixture
    temperature: float
    probabilities: Floats  # (n_classes, k), P(class | component)
    loss: float  # the log-loss of the samples, each record left out


def joined(classes: Sequence[ClassMixture]) -> Classes:
    """Return the classes as one mixture, with broad components or without, by the lesser loss."""
    beside = _joined(classes, BROAD)
    alone = _joined(classes, 0.0)
    return alone if alone.loss < WORTH * beside.loss else beside


def _joined(classes: Sequence[ClassMixture], broad: float) -> Classes:
    N = np.array([one.shrinkage.N for one in classes])
    overall = N / N.sum()
    parts = [one.parts(broad) for one in classes]
    mixture = _one_mixture(parts, overall)
    sizes = [sum(part.mixture.k for part in one) for one in parts]
    own = np.repeat(np.eye(len(classes)), sizes, axis=1)
    # Of a class of a single record nothing is left without it.
    judged = [c for c in range(len(classes)) if N[c] > 1.0]
    joints = [_judged(classes[c], parts[c], mixture, own[c] > 0, N.sum()) for c in judged]
    joint = np.concatenate([np.zeros((0, mixture.k)), *joints])
    labels = np.repeat(np.array(judged, np.intp), [len(classes[c].sample) for c in judged])
    weights = np.concatenate([np.zeros(0), *(classes[c].weights for c in judged)])
    T = class_calibration.temperature(joint, own, labels, weights)
    shares = softmax(joint / T, axis=1)
    found = class_calibration.class_probabilities(shares, own, overall, labels, weights)
    loss = class_calibration.loss(shares, found, labels, weights)
    order = np.argsort(-mixture.alpha, kind="stable")
    return Classes(mixture.keep(order), T, np.ascontiguousarray(found[:, order]), loss)


def _one_mixture(parts: Sequence[list[Part]], prior: Floats) -> Mixture:
    weighted = [
        part.mixture.weighted(share * part.weight * part.mixture.alpha)
        for one, share in zip(parts, prior, strict=True)
        for part in one
    ]
    arrays = (
        np.ascontiguousarray(np.concatenate([getattr(one, name) for one in weighted], axis=-1))
        for name in ("alpha", "p", "mu", "Sigma")
    )
    return Mixture(weighted[0].layout, *arrays)


def _judged(
    one: ClassMixture,
    parts: list[Part],
    mixture: Mixture,
    own: NDArray[np.bool_],
    N: float,
) -> Floats:
    """Return the log joint of the sample of a class, each record left out of it, (n, k)."""
    joint = KERNEL.log_joint(one.sample, mixture)
    alone = [
        LeftOut(one.sample, part.mixture, replace(one.shrinkage, s_class=part.strength)).log_joint()
        + np.log(part.weight / N)
        for part in parts
    ]
    joint[:, own] = np.concatenate(alone, axis=1)
    return joint
