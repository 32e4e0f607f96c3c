# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking does not apply.
"""The compiled loops of centroid linkage: clusters as sums of rows of 0 and 1.

A cluster is named by its first record; ``sizes`` is 0 where it is part of another or was dropped.
``nearest`` is the nearest of the clusters behind each, and ``away`` the square of its distance.
"""

from __future__ import annotations

import numpy as np

from galileomix.baselines._base import compiled


@compiled
def apart(centers, a, b):
    """Return the square of the distance of two centroids, whose length is a multiple of four."""
    # Four sums whose order is written down: fast, and the same on every machine.
    first = second = third = fourth = 0.0
    for j in range(0, centers.shape[1], 4):
        first += (centers[a, j] - centers[b, j]) ** 2
        second += (centers[a, j + 1] - centers[b, j + 1]) ** 2
        third += (centers[a, j + 2] - centers[b, j + 2]) ** 2
        fourth += (centers[a, j + 3] - centers[b, j + 3]) ** 2
    return (first + second) + (third + fourth)


@compiled
def find_nearest(centers, sizes, nearest, away, c):
    """Find the first of the nearest clusters behind a cluster."""
    away[c] = np.inf
    for other in range(c + 1, len(sizes)):
        if sizes[other] > 0:
            square = apart(centers, c, other)
            if square < away[c]:
                nearest[c], away[c] = other, square


@compiled
def join(centers, sizes, root, kept, gone):
    """Make one cluster of two."""
    total = sizes[kept] + sizes[gone]
    for j in range(centers.shape[1]):
        both = centers[kept, j] * sizes[kept] + centers[gone, j] * sizes[gone]
        centers[kept, j] = both / total
    sizes[kept], sizes[gone], root[gone] = total, 0, kept


@compiled
def update(centers, sizes, nearest, away, kept, gone):
    """Find the nearest clusters anew where a merge may have changed them."""
    find_nearest(centers, sizes, nearest, away, kept)
    for c in range(gone):
        if sizes[c] == 0 or c == kept:
            continue
        if nearest[c] == kept or nearest[c] == gone:
            find_nearest(centers, sizes, nearest, away, c)
        elif c < kept:
            square = apart(centers, c, kept)
            if square < away[c] or (square == away[c] and kept < nearest[c]):
                nearest[c], away[c] = kept, square


@compiled
def link(centers, sizes, root, n_wanted):
    """Merge the two nearest clusters until so many are left."""
    nearest, away = np.full(len(sizes), -1), np.full(len(sizes), np.inf)
    left = 0
    for c in range(len(sizes)):
        if sizes[c] > 0:
            find_nearest(centers, sizes, nearest, away, c)
            left += 1
    while left > n_wanted:
        kept = np.argmin(away)
        gone = nearest[kept]
        join(centers, sizes, root, kept, gone)
        away[gone] = np.inf
        update(centers, sizes, nearest, away, kept, gone)
        left -= 1
