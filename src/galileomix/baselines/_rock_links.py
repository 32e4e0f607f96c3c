# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking does not apply.
"""The neighbours and links of ROCK: which records are similar, and how many neighbours they share.

``codes`` and ``known`` are those of `galileomix.baselines._base.CodedTable`.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from galileomix.baselines._base import compiled


@compiled
def similarity(codes, known, a, b, jaccard):
    """Return the similarity of two records.

    By Jaccard it is that of the sets of their known values; otherwise the share of the attributes
    known in both that agree.
    """
    equal = both = either = 0
    for m in range(codes.shape[1]):
        here, there = known[a, m], known[b, m]
        same = here and there and codes[a, m] == codes[b, m]
        equal += same
        both += here and there
        either += here + there
    size = either - equal if jaccard else both
    return equal / size if size > 0 else 0.0


@compiled
def similar_pairs(codes, known, theta, jaccard):
    """Return the pairs a < b that are at least so similar, in order, as two arrays."""
    room, n_pairs = 1024, 0
    first, second = np.empty(room, np.int32), np.empty(room, np.int32)
    for a in range(len(codes)):
        for b in range(a + 1, len(codes)):
            if similarity(codes, known, a, b, jaccard) >= theta:
                if n_pairs == room:
                    first = np.concatenate((first, np.empty(room, np.int32)))
                    second = np.concatenate((second, np.empty(room, np.int32)))
                    room *= 2
                first[n_pairs], second[n_pairs] = a, b
                n_pairs += 1
    return first[:n_pairs], second[:n_pairs]


@compiled
def neighbor_counts(codes, known, others, clusters, theta, jaccard):
    """Return for each of the other records how many neighbours it has in every cluster.

    ``clusters`` is the cluster of each record of the table, -1 for none.
    """
    counts = np.zeros((len(others), clusters.max() + 1))
    for row in range(len(others)):
        for b in range(len(clusters)):
            inside = clusters[b] >= 0
            if inside and similarity(codes, known, others[row], b, jaccard) >= theta:
                counts[row, clusters[b]] += 1
    return counts


def neighbor_graph(codes, known, theta, jaccard):
    """Return the symmetric matrix that is 1 where two different records are neighbours."""
    first, second = similar_pairs(codes, known, theta, jaccard)
    n = len(codes)
    upper = sparse.coo_matrix((np.ones(len(first), np.int32), (first, second)), shape=(n, n))
    return (upper + upper.T).tocsr()


def link_counts(neighbors):
    """Return how many neighbours two records have in common, for pairs that have any.

    No record is a neighbour of its own, so neither of the two counts as common: in the example of
    the ROCK paper {1,2,6} and {1,2,7} have five links, not seven.
    """
    links = neighbors @ neighbors
    links.setdiag(0)
    links.eliminate_zeros()
    return links
