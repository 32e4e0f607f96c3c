# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking does not apply.
"""The compiled loops of COOLCAT: records into the clusters whose entropy they raise least.

``log`` is the table of n log n.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from galileomix.baselines._base import Ints, compiled

EQUAL = 1e-9
"""Entropies nearer than this are equal but for rounding, and the first cluster is taken."""


class ClusterCounts(NamedTuple):
    """What COOLCAT counts of each cluster."""

    counts: Ints  # (k, places): the records with each value; missing values are never counted
    sizes: Ints  # (k, M): the records where each attribute is known
    firsts: Ints  # (M,): where the places of each attribute begin


@compiled
def differing(codes, known, a, b):
    """Return in how many of the attributes known in both two records differ.

    Times log 2 that is the entropy of the cluster that they would make.
    """
    count = 0
    for m in range(codes.shape[1]):
        count += known[a, m] and known[b, m] and codes[a, m] != codes[b, m]
    return count


@compiled
def most_unlike(codes, known, rows):
    """Return the first pair of places in `rows` that differs most."""
    most, pair = -1, (0, 0)
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            count = differing(codes, known, rows[i], rows[j])
            if count > most:
                most, pair = count, (i, j)
    return pair


@compiled
def seeds(codes, known, rows, k):
    """Return k of the rows: the two that differ most, then always the farthest from all chosen."""
    chosen = np.empty(k, np.int64)
    nearest = np.full(len(rows), codes.shape[1] + 1)
    i, j = most_unlike(codes, known, rows)
    for step in range(k):
        place = i if step == 0 else (j if step == 1 else np.argmax(nearest))
        chosen[step] = rows[place]
        for other in range(len(rows)):
            count = differing(codes, known, rows[place], rows[other])
            nearest[other] = min(nearest[other], count)
        nearest[place] = -1  # so that no record is chosen twice
    return chosen


@compiled
def put(codes, known, a, cluster, clusters, by):
    """Count a record in a cluster, or out of it where `by` is -1."""
    counts, sizes, firsts = clusters
    for m in range(codes.shape[1]):
        if known[a, m]:
            counts[cluster, firsts[m] + codes[a, m]] += by
            sizes[cluster, m] += by


@compiled
def best_place(codes, known, a, clusters, log):
    """Return the first cluster whose entropy times size a record raises least."""
    counts, sizes, firsts = clusters
    least, best = np.inf, 0
    for c in range(len(counts)):
        rise = 0.0
        for m in range(codes.shape[1]):
            if known[a, m]:
                n, v = sizes[c, m], counts[c, firsts[m] + codes[a, m]]
                rise += (log[n + 1] - log[n]) - (log[v + 1] - log[v])
        if rise < least - EQUAL:
            least, best = rise, c
    return best


@compiled
def fitness(codes, known, a, cluster, clusters):
    """Return the log-probability of a record in its own cluster, itself counted."""
    counts, sizes, firsts = clusters
    total = 0.0
    for m in range(codes.shape[1]):
        if known[a, m]:
            total += np.log(counts[cluster, firsts[m] + codes[a, m]] / sizes[cluster, m])
    return total


@compiled
def place_all(codes, known, rows, labels, clusters, log):
    """Place those of the rows that have no cluster, one after the other."""
    for a in rows:
        if labels[a] < 0:
            labels[a] = best_place(codes, known, a, clusters, log)
            put(codes, known, a, labels[a], clusters, 1)


@compiled
def worst(codes, known, rows, labels, clusters, n_worst):
    """Return the rows that fit their clusters worst, the first of equal ones."""
    fits = np.empty(len(rows))
    for place in range(len(rows)):
        fits[place] = fitness(codes, known, rows[place], labels[rows[place]], clusters)
    return rows[np.argsort(fits, kind="mergesort")[:n_worst]]


@compiled
def take_out(codes, known, rows, labels, clusters):
    """Take rows out of their clusters, but never the last record of one."""
    in_cluster = np.bincount(labels[labels >= 0], minlength=len(clusters.counts))
    for a in rows:
        if in_cluster[labels[a]] > 1:
            in_cluster[labels[a]] -= 1
            put(codes, known, a, labels[a], clusters, -1)
            labels[a] = -1
