# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking does not apply.
"""The compiled loops of k-modes: how far records are from modes, and the modes of clusters."""

from __future__ import annotations

import numpy as np

from galileomix.baselines._base import compiled


@compiled
def distance(codes, known, a, mode):
    """Return in how many of its known attributes a record differs from a mode."""
    count = 0
    for m in range(len(mode)):
        count += known[a, m] and codes[a, m] != mode[m]
    return count


@compiled
def nearest(codes, known, modes):
    """Return for each record the first of the modes nearest to it, and how far that is."""
    labels, away = np.empty(len(codes), np.int64), np.empty(len(codes), np.int64)
    for a in range(len(codes)):
        least = codes.shape[1] + 1
        for c in range(len(modes)):
            count = distance(codes, known, a, modes[c])
            if count < least:
                least, labels[a] = count, c
        away[a] = least
    return labels, away


@compiled
def modes_of(codes, known, labels, k, most_values):
    """Return the commonest value of each attribute in each cluster, of equal ones the first."""
    modes = np.empty((k, codes.shape[1]), codes.dtype)
    counts = np.empty((k, most_values), np.int64)
    for m in range(codes.shape[1]):
        counts[:] = 0
        for a in range(len(codes)):
            if known[a, m]:
                counts[labels[a], codes[a, m]] += 1
        for c in range(k):
            modes[c, m] = np.argmax(counts[c])
    return modes


@compiled
def fill_empty(labels, away, k):
    """Give each cluster without records the one that is farthest from its mode."""
    sizes = np.bincount(labels, minlength=k)
    for c in range(k):
        if sizes[c] == 0:
            farthest, most = -1, -1
            for a in range(len(labels)):
                if sizes[labels[a]] > 1 and away[a] > most:
                    farthest, most = a, away[a]
            sizes[labels[farthest]] -= 1
            labels[farthest], away[farthest], sizes[c] = c, 0, 1
