# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops of COOLCAT: records into the clusters whose entropy they raise least.

``counts`` has for each cluster how many of its records have each value, all attributes in one row;
attribute m begins at ``firsts[m]``, and its last place is for records where it is unknown, which
are never counted. ``sizes`` has for each cluster and attribute the records where it is known.
``log`` is the table of n log n.
"""

from __future__ import annotations

import numpy as np
from numba import njit

compiled = njit(nogil=True, cache=True)

EQUAL = 1e-9
"""Entropies nearer than this are equal but for rounding, and the first cluster is taken."""


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
def put(codes, known, a, cluster, layout, by):
    """Count a record in a cluster, or out of it where `by` is -1."""
    counts, sizes, firsts = layout
    for m in range(codes.shape[1]):
        if known[a, m]:
            counts[cluster, firsts[m] + codes[a, m]] += by
            sizes[cluster, m] += by


@compiled
def best_place(codes, known, a, layout, log):
    """Return the first cluster whose entropy times size a record raises least."""
    counts, sizes, firsts = layout
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
def fitness(codes, known, a, cluster, layout):
    """Return the log-probability of a record in its own cluster, itself counted."""
    counts, sizes, firsts = layout
    total = 0.0
    for m in range(codes.shape[1]):
        if known[a, m]:
            total += np.log(counts[cluster, firsts[m] + codes[a, m]] / sizes[cluster, m])
    return total


@compiled
def place_all(codes, known, rows, labels, layout, log):
    """Place those of the rows that have no cluster, one after the other."""
    for a in rows:
        if labels[a] < 0:
            labels[a] = best_place(codes, known, a, layout, log)
            put(codes, known, a, labels[a], layout, 1)


@compiled
def worst(codes, known, rows, labels, layout, n_worst):
    """Return the rows that fit their clusters worst, the first of equal ones."""
    fits = np.empty(len(rows))
    for place in range(len(rows)):
        fits[place] = fitness(codes, known, rows[place], labels[rows[place]], layout)
    return rows[np.argsort(fits, kind="mergesort")[:n_worst]]


@compiled
def take_out(codes, known, rows, labels, layout):
    """Take rows out of their clusters, but never the last record of one."""
    in_cluster = np.bincount(labels[labels >= 0], minlength=len(layout[0]))
    for a in rows:
        if in_cluster[labels[a]] > 1:
            in_cluster[labels[a]] -= 1
            put(codes, known, a, labels[a], layout, -1)
            labels[a] = -1
