# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The agglomeration of ROCK: merge the pair of clusters of greatest goodness, again and again.

A cluster is called by its first record. Its links to other clusters are a chain of cells. A merge
joins two chains, and folds cells that name clusters which have become one. All linked pairs lie in
one heap; those of a cluster that has grown since are pushed anew, and the old ones are passed over
when they come up: the stamp of a pair is the size that the merged cluster would have. So a merge
costs what the two clusters have links, and the paper's heap per cluster is not needed.

Of pairs of equal goodness the one with the smallest first cluster is merged, and of these the one
with the smallest second.

``clusters`` is (root, size, head, tail, slot): what each cluster has become part of, its records
(0 where it was dropped), the first and the last cell of its chain, and room to look cells up.
``cells`` is (following, target, links): the next cell of the chain, the other cluster, the links.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from galileomix.baselines._heap import order, rise, sink, swap, with_room

compiled = njit(nogil=True, cache=True)


def begin(links):
    """Return the clusters and the cells of records that are all by themselves."""
    n = links.shape[0]
    following = np.arange(1, links.nnz + 1)
    filled = np.diff(links.indptr) > 0
    following[links.indptr[1:][filled] - 1] = -1
    head = np.where(filled, links.indptr[:-1], -1).astype(np.int64)
    tail = np.where(filled, links.indptr[1:] - 1, -1).astype(np.int64)
    clusters = (np.arange(n), np.ones(n, np.int64), head, tail, np.full(n, -1))
    return clusters, (following, links.indices.astype(np.int32), links.data.astype(np.int64))


def powers(n, theta):
    """Return 0, 1, ..., n to the power of 1 + 2 f(theta), with f = (1 - theta) / (1 + theta)."""
    return np.arange(n + 1, dtype=np.float64) ** (1 + 2 * (1 - theta) / (1 + theta))


@compiled
def goodness(links, n, m, power):
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
    root, size, head, tail, slot = clusters
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
    clear(head, slot, following, target, c)


@compiled
def clear(head, slot, following, target, c):
    """Forget in which cells of a chain the clusters were found."""
    cell = head[c]
    while cell >= 0:
        slot[target[cell]] = -1
        cell = following[cell]


@compiled
def write(pairs, place, c, other, sizes):
    """Write a pair of clusters into a place of the heap."""
    pairs[place, 0] = c if c < other else other
    pairs[place, 1] = other if c < other else c
    pairs[place, 2] = sizes[c] + sizes[other]


@compiled
def all_pairs(clusters, cells, power):
    """Return the heap of all linked pairs, and their number."""
    root, size, head, _, _ = clusters
    following, target, links = cells
    most = len(target) // 2 + 1
    values, pairs = np.empty(most), np.empty((most, 3), np.int32)
    n_pairs = 0
    for c in range(len(root)):
        cell = head[c] if root[c] == c and size[c] > 0 else -1
        while cell >= 0:
            other = target[cell]
            if c < other:
                values[n_pairs] = goodness(links[cell], size[c], size[other], power)
                write(pairs, n_pairs, c, other, size)
                n_pairs += 1
            cell = following[cell]
    order(values, pairs, n_pairs)
    return values, pairs, n_pairs


@compiled
def merge(clusters, cells, kept, gone):
    """Merge two linked clusters."""
    root, size, head, tail, _ = clusters
    root[gone] = kept
    size[kept] += size[gone]
    cells[0][tail[kept]] = head[gone]
    fold(clusters, cells, kept)


@compiled
def push_all(heap, n_pairs, clusters, cells, c, power):
    """Push all pairs of a cluster; return the heap, which may be a longer one, and its size."""
    values, pairs = heap
    size, cell = clusters[1], clusters[2][c]
    following, target, links = cells
    while cell >= 0:
        values, pairs = with_room(values, pairs, n_pairs)
        values[n_pairs] = goodness(links[cell], size[c], size[target[cell]], power)
        write(pairs, n_pairs, c, target[cell], size)
        rise(values, pairs, n_pairs)
        n_pairs += 1
        cell = following[cell]
    return values, pairs, n_pairs


@compiled
def agglomerate(clusters, cells, power, n_left, n_wanted):
    """Merge until so many clusters are left, or none are linked; return the merges made.

    Returns the clusters merged, (merges, 2), and how good each merge was.
    """
    root, size = clusters[0], clusters[1]
    most = max(n_left - n_wanted, 0)
    merged, told, done = np.empty((most, 2), np.int64), np.empty(most), 0
    values, pairs, n_pairs = all_pairs(clusters, cells, power)
    while done < most and n_pairs > 0:
        value, kept, gone, stamp = values[0], pairs[0, 0], pairs[0, 1], pairs[0, 2]
        n_pairs -= 1
        swap(values, pairs, 0, n_pairs)
        sink(values, pairs, 0, n_pairs)
        if root[kept] == kept and root[gone] == gone and size[kept] + size[gone] == stamp:
            merge(clusters, cells, kept, gone)
            merged[done, 0], merged[done, 1], told[done] = kept, gone, value
            done += 1
            heap = (values, pairs)
            values, pairs, n_pairs = push_all(heap, n_pairs, clusters, cells, kept, power)
    return merged[:done], told[:done]


@compiled
def drop_small(clusters, cells, least):
    """Drop clusters of fewer records than wanted; return how many clusters are left."""
    root, size = clusters[0], clusters[1]
    for c in range(len(root)):
        if root[c] == c and size[c] < least:
            size[c] = 0
    left = 0
    for c in range(len(root)):
        if root[c] == c and size[c] > 0:
            fold(clusters, cells, c)
            left += 1
    return left


@compiled
def members(clusters):
    """Return the cluster of each record; -1 where it was dropped."""
    root, size = clusters[0], clusters[1]
    result = np.empty(len(root), np.int64)
    for a in range(len(result)):
        c = root_of(root, a)
        result[a] = c if size[c] > 0 else -1
    return result
