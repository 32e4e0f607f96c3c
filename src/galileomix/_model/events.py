"""What tells the records of one component from those of all others.

An event is that an attribute has one of some values; a number has as its values the intervals
between the places where components are dense. How much an event tells of a component is the mutual
information of the event and of membership, in nats. An event that is as common in the rest tells
nothing, however typical of the component it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, xlogy

from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.stats import TINY, Background

COMMON = 0.5
"""An event describes a component only if at least this share of its records have it."""
USUAL = 0.75
"""What at least this share of the rest has describes no component."""
NEARLY_ALL = 0.9
"""A component lacks a value if at least this share of its records have another."""
MOST_VALUES = 3
"""The most values that an event names."""
AS_GOOD = 0.8
"""Of two events the simpler is taken where it tells at least this share of what the other does."""
PLACES = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
"""Where a component's number is cut, in standard deviations from its mean."""
MOST_EDGES = 64
"""The most places where a number is cut."""
DIFFERENT = 0.1
"""The least divergence, in nats, of a number's distribution from that of all records."""
DIGITS = 9
"""Of what events tell, in nats."""
FIRST_FEW = 32
"""Among how many events pairs are looked for."""


class Events(NamedTuple):
    """For every component the event of one attribute that tells most of it.

    ``values`` (L, k) says which values it is made of, ``p`` (k, k) how probable the event of
    component i is under component j, ``named`` (k,) whether it can be said of the component.
    """

    values: NDArray[np.bool_]
    p: Floats
    named: NDArray[np.bool_]


def rest_of(p: Floats, alpha: Floats) -> Floats:
    """Return how probable values (L, k) are in the records of all other components, (L, k)."""
    others = np.maximum(1.0 - alpha, TINY)
    return np.clip((p @ alpha)[:, None] - alpha * p, 0.0, None) / others


def told(share: Floats, rest: Floats, alpha: Floats | float) -> Floats:
    """Return the information on membership of events, by their shares within and in the rest."""
    both = alpha * share + (1.0 - alpha) * rest
    return np.maximum(_either(both) - alpha * _either(share) - (1.0 - alpha) * _either(rest), 0.0)


def uncertainty(alpha: Floats) -> Floats:
    """Return what there is to be told: the entropy of membership."""
    return _either(alpha)


def information(p: Floats, alpha: Floats) -> Floats:
    """Return what an attribute with values (L, k) tells of membership in each component, (k,)."""
    joint = p * alpha
    total = joint.sum(axis=1, keepdims=True)
    left = (total * _either(joint / np.maximum(total, TINY))).sum(axis=0)
    return np.maximum(uncertainty(alpha) - left, 0.0)


def intervals(mixture: Mixture, q: int) -> Floats:
    """Return the probabilities of a number's intervals, (L, k)."""
    mean, deviation = mixture.mu[q], np.sqrt(mixture.var[q])
    edges = np.unique(mean + deviation * PLACES[:, None])
    edges = edges[np.unique(np.linspace(0, len(edges) - 1, MOST_EDGES).round().astype(int))]
    below = ndtr((edges[:, None] - mean) / deviation)
    ends = np.zeros((1, mixture.k))
    return np.diff(np.concatenate([ends, below, ends + 1.0]), axis=0)


def of_values(p: Floats, alpha: Floats, missing: bool = False) -> Events:
    """Return the events of an attribute with values (L, k): few that are present, or one absent.

    The best sets of values are those of the greatest ratio of shares within and in the rest.
    Where the last value is the missing one, it is common in the component or comes last.
    """
    rest = rest_of(p, alpha)
    ratio = np.divide(p, p + rest, out=np.zeros_like(p), where=p > 0)
    if missing:
        ratio[-1] = np.where(p[-1] < COMMON, -1.0, ratio[-1])
    order = np.argsort(-ratio, axis=0, kind="stable")
    shares, rests = (np.cumsum(np.take_along_axis(x, order, 0), axis=0) for x in (p, rest))
    sizes = np.arange(1, len(p) + 1)[:, None]
    absent = (sizes == len(p) - 1) & (shares >= NEARLY_ALL)
    named = ((sizes <= MOST_VALUES) | absent) & _stands_out(shares, rests)
    size = _simplest(told(shares, rests, alpha), named)
    return _events(p, np.argsort(order, axis=0, kind="stable") <= size, named)


def of_ranks(p: Floats, alpha: Floats, missing: bool = False) -> Events:
    """Return the events of an attribute whose values have an order: runs of values, (L, k).

    Where the last value is the missing one, it is no part of longer runs.
    """
    first, last = np.triu_indices(len(p))
    order = np.argsort(last - first, kind="stable")
    if missing:
        order = order[(last[order] < len(p) - 1) | (first[order] == len(p) - 1)]
    first, last = first[order], last[order]
    shares, rests = (_runs(x, first, last) for x in (p, rest_of(p, alpha)))
    named = _stands_out(shares, rests)
    run = _simplest(told(shares, rests, alpha), named)
    ranks = np.arange(len(p))[:, None]
    return _events(p, (ranks >= first[run]) & (ranks <= last[run]), named)


def of_number(mixture: Mixture, background: Background, q: int, known: Floats) -> Events:
    """Return the events of a number: that it lies in some range.

    ``known`` (k,) is the share of records whose number it is at all. A range is said of a
    component only if its Gaussian differs from that of all records.
    """
    found = of_ranks(known * intervals(mixture, q), mixture.alpha)
    ratio = mixture.var[q] / background.var[q]
    away = (mixture.mu[q] - background.mu[q]) ** 2 / background.var[q]
    divergence = 0.5 * (ratio + away - 1.0 - np.log(ratio))
    return found._replace(named=found.named & (divergence >= DIFFERENT))


def conjunction(p: Floats, i: int, alpha: Floats, most: int, least: float) -> list[int]:
    """Return which events together tell most of component i, the most telling first.

    ``p`` (F, k) is how probable events are under every component, within which they are
    independent. Of single events and pairs the best is taken; then an event joins where it adds
    at least a share ``least`` of what there is to tell, as the second of a pair has to.
    """
    gain = least * uncertainty(alpha)[i]
    chosen = _best_two(p, i, alpha, gain)[:most]
    while len(chosen) < min(most, len(p)):
        together = p[chosen].prod(axis=0)
        joint = telling(together * p, i, alpha)
        joint[chosen] = -np.inf
        following = int(np.argmax(joint))
        if joint[following] < telling(together[None], i, alpha)[0] + gain:
            break
        chosen.append(following)
    return chosen


def _best_two(p: Floats, i: int, alpha: Floats, gain: float) -> list[int]:
    """Return the event that tells most; or two, the more telling first, if they tell that more."""
    alone = telling(p, i, alpha)
    few = np.argsort(-alone, kind="stable")[:FIRST_FEW]
    both = (p[few, None] * p[few]).reshape(-1, p.shape[1])
    pairs = telling(both, i, alpha).reshape(len(few), len(few))
    np.fill_diagonal(pairs, -np.inf)
    two = few[list(np.unravel_index(int(np.argmax(pairs)), pairs.shape))]
    better = pairs.max() >= alone[few[0]] + gain
    return sorted(two.tolist(), key=lambda f: -alone[f]) if better else [int(few[0])]


def telling(p: Floats, i: int, alpha: Floats) -> Floats:
    """Return what events, (F, k) under every component, tell of component i.

    Rounded, so that of equal events the first is taken whatever the last digits are.
    """
    return told(p[:, i], rest_of(p, alpha)[:, i], alpha[i]).round(DIGITS)


def _stands_out(shares: Floats, rests: Floats) -> NDArray[np.bool_]:
    """Return which events may be said of a component: common here, and more so than in the rest."""
    return (shares >= COMMON) & (rests < USUAL) & (shares > rests)


def _runs(p: Floats, first: Ints, last: Ints) -> Floats:
    """Return the probabilities of runs of values, (R, k)."""
    below = np.concatenate([np.zeros((1, p.shape[1])), np.cumsum(p, axis=0)])
    return np.clip(below[last + 1] - below[first], 0.0, 1.0)


def _simplest(telling: Floats, named: NDArray[np.bool_]) -> Ints:
    """Return the first of the events, (., k), that tells nearly as much as the best of them."""
    telling = np.where(named, telling, -np.inf)
    return np.argmax(telling >= AS_GOOD * telling.max(axis=0), axis=0)


def _events(p: Floats, chosen: NDArray[np.bool_], sayable: NDArray[np.bool_]) -> Events:
    """Return events of these values; of the most probable ones where no event can be said."""
    named = np.asarray(sayable.any(axis=0))
    chosen = np.where(named, chosen, _most_probable(p))
    return Events(chosen, np.clip(chosen.T.astype(float) @ p, 0.0, 1.0), named)


def _most_probable(p: Floats) -> NDArray[np.bool_]:
    """Return the most probable values, few that are usual together."""
    order = np.argsort(-p, axis=0, kind="stable")
    before = np.cumsum(np.take_along_axis(p, order, 0), axis=0) - np.take_along_axis(p, order, 0)
    kept = (before < USUAL) & (np.arange(len(p))[:, None] < MOST_VALUES)
    return np.take_along_axis(kept, np.argsort(order, axis=0, kind="stable"), 0)


def _either(p: Floats) -> Floats:
    """Return the entropy of yes or no."""
    p = np.clip(p, 0.0, 1.0)
    return -(xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))
