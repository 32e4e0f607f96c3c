# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking does not apply.
"""The merges of ROCK: always of the two clusters whose goodness is greatest.

A cluster is named by its first record. Its links to other clusters are a chain of cells. A merge
joins two chains, and `fold` adds up the cells of clusters that have become one.

Every cluster remembers its best merge with a later one. A merge changes that only for clusters
linked to the merged one: it becomes their best partner where it is better. Where it is worse than
one of its two parts was, the partner is forgotten, and its goodness stays as an upper bound. A new
partner is searched for only when that bound is the greatest of all, which is rare. So a merge costs
as much as the two clusters have links, and the heaps of the ROCK paper are not needed.

Of pairs of equal goodness the one with the smallest first cluster is merged, and of these the one
with the smallest second.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from galileomix.baselines._base import Codes, Floats, Ints, compiled


class Clusters(NamedTuple):
    """The state of all clusters: arrays with a place for each record."""

    root: Ints  # the cluster that each has become part of
    size: Ints  # its records; 0 where it was dropped
    head: Ints  # the first and the last cell of its chain, -1 for none
    tail: Ints
    slot: Ints  # room for `fold` to look cells up
    partner: Ints  # the later cluster of its best merge, -1 where it must be searched for
    goodness: Floats  # how good that merge is, or at most is; -1 for none


class Cells(NamedTuple):
    """The links between clusters, in chains."""

    following: Ints  # the next cell of the chain, -1 at its end
    target: Codes  # the other cluster
    links: Ints


def begin(links):
    """Return the clusters and cells of records that are all by themselves."""
    n = links.shape[0]
    following = np.arange(1, links.nnz + 1)
    filled = np.diff(links.indptr) > 0
    following[links.indptr[1:][filled] - 1] = -1
    head = np.where(filled, links.indptr[:-1], -1).astype(np.int64)
    tail = np.where(filled, links.indptr[1:] - 1, -1).astype(np.int64)
    none = np.full(n, -1)
    clusters = Clusters(
        np.arange(n), np.ones(n, np.int64), head, tail, none, none.copy(), np.full(n, -1.0)
    )
    return clusters, Cells(following, links.indices.astype(np.int32), links.data.astype(np.int64))


def powers(n, theta):
    """Return 0, 1, ..., n to the power of 1 + 2 f(theta), with f = (1 - theta) / (1 + theta)."""
    return np.arange(n + 1, dtype=np.float64) ** (1 + 2 * (1 - theta) / (1 + theta))


@compiled
def goodness_of(links, n, m, power):
    """Return the links between two clusters over those expected of their sizes."""
    # A sum is the same in either order, a difference need not be: equal pairs must stay equal.
    return links / (power[n + m] - (power[n] + power[m]))


@compiled
def root_of(root, c):
    """Return the cluster that a cluster has become part of; shorten the way for the next."""
    while root[c] != c:
        root[c] = root[root[c]]
        c = root[c]
    return c


@compiled
def fold(clusters, cells, c):
    """Leave one cell in the chain of a cluster for each cluster that it is linked to."""
    root, size, head, tail, slot, _, _ = clusters
    following, target, links = cells
    last, cell = -1, head[c]
    head[c] = -1
    while cell >= 0:
        after = following[cell]
        other = root_of(root, target[cell])
        if other != c and size[other] > 0:
            if slot[other] >= 0:
                links[slot[other]] += links[cell]
            else:
                slot[other], target[cell] = cell, other
                if last < 0:
                    head[c] = cell
                else:
                    following[last] = cell
                last = cell
        cell = after
    tail[c] = last
    if last >= 0:
        following[last] = -1
    cell = head[c]
    while cell >= 0:
        slot[target[cell]] = -1
        cell = following[cell]


@compiled
def find_partner(clusters, cells, c, power):
    """Find the best merge of a cluster with a later one, of equal ones the first."""
    fold(clusters, cells, c)
    size, partner, goodness = clusters.size, clusters.partner, clusters.goodness
    partner[c], goodness[c] = -1, -1.0
    cell = clusters.head[c]
    while cell >= 0:
        other = cells.target[cell]
        if other > c:
            value = goodness_of(cells.links[cell], size[c], size[other], power)
            if value > goodness[c] or (value == goodness[c] and other < partner[c]):
                partner[c], goodness[c] = other, value
        cell = cells.following[cell]


@compiled
def merge(clusters, cells, kept, gone, power):
    """Merge two linked clusters."""
    clusters.root[gone] = kept
    clusters.size[kept] += clusters.size[gone]
    clusters.goodness[gone] = -1.0
    cells.following[clusters.tail[kept]] = clusters.head[gone]
    find_partner(clusters, cells, kept, power)


@compiled
def update_earlier(clusters, cells, kept, gone, power):
    """Compare the merged cluster with the partners of the clusters that are linked to it."""
    size, partner, goodness = clusters.size, clusters.partner, clusters.goodness
    cell = clusters.head[kept]
    while cell >= 0:
        c = cells.target[cell]
        value = goodness_of(cells.links[cell], size[c], size[kept], power)
        equal = value == goodness[c] and partner[c] >= kept
        if c < kept and (value > goodness[c] or equal):
            partner[c], goodness[c] = kept, value
        elif partner[c] == kept or partner[c] == gone:
            partner[c] = -1
        cell = cells.following[cell]


@compiled
def agglomerate(clusters, cells, power, n_left, n_wanted):
    """Merge until so many clusters are left, or none are linked.

    Returns the clusters merged, (merges, 2), and how good each merge was.
    """
    for c in range(len(clusters.root)):
        if clusters.root[c] == c and clusters.size[c] > 0:
            find_partner(clusters, cells, c, power)
    most = max(n_left - n_wanted, 0)
    merged, values, done = np.empty((most, 2), np.int64), np.empty(most), 0
    while done < most:
        kept = np.argmax(clusters.goodness)
        gone = clusters.partner[kept]
        if clusters.goodness[kept] < 0:
            break
        if gone < 0:
            find_partner(clusters, cells, kept, power)
            continue
        merged[done, 0], merged[done, 1], values[done] = kept, gone, clusters.goodness[kept]
        done += 1
        merge(clusters, cells, kept, gone, power)
        update_earlier(clusters, cells, kept, gone, power)
    return merged[:done], values[:done]


def drop_small(clusters, least):
    """Drop clusters of fewer records than wanted; return how many clusters are left."""
    own = clusters.root == np.arange(len(clusters.root))
    small = own & (clusters.size < least)
    clusters.size[small], clusters.goodness[small] = 0, -1.0
    return int((own & (clusters.size > 0)).sum())
