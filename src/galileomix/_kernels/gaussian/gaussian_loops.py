# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops over numbers, components in tiles of eight.

Records with the same missing numbers share a pattern. For one pattern at a time, and every
component, these are known:

``whiten``  lower triangular: times the distances of the known numbers from their means it gives
            independent ones of unit variance
``slopes``  times the same distances it gives those to be expected of the missing numbers
``left``    the covariance that is left of the missing numbers

all (Q, Q, width), flat; and ``level``, (width,), the log density at the mean. Rows and columns that
do not concern the pattern are zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from galileomix._kernels.loops import compiled, meets
from galileomix._kernels.tile import LANES, add, load, multiply, spread, store, subtract


class Patterns(NamedTuple):
    """Which numbers are known together, (P, Q); ``rows[starts[p]:starts[p + 1]]`` know row p."""

    known: NDArray[np.bool_]
    rows: NDArray[np.intp]
    starts: NDArray[np.intp]


class Gaussians(NamedTuple):
    """The means, (Q, width), and covariances, (Q, Q, width), of all components, flat and padded.

    Of independent numbers variances, (Q, width).
    """

    mu: NDArray[np.float64]
    Sigma: NDArray[np.float64]


@compiled
def _whiten(Sigma, known, Q, whiten, level):
    """Write what whitens the known numbers; padding is left zero."""
    width = len(level)
    whiten[:], level[:] = 0.0, 0.0
    for i in range(width):
        if Sigma[i] > 0:
            root = _inverse_root(Sigma, known, Q, width, i)
            for r in range(len(known)):
                level[i] += np.log(root[r, r]) - 0.5 * np.log(2 * np.pi)
                for c in range(r + 1):
                    whiten[(known[r] * Q + known[c]) * width + i] = root[r, c]


@compiled
def _expect(Sigma, known, missing, width, slopes, left):
    """Write what the known numbers say of the missing ones."""
    Q = len(known) + len(missing)
    slopes[:], left[:] = 0.0, 0.0
    for i in range(width):
        if len(missing) > 0 and Sigma[i] > 0:
            root = _inverse_root(Sigma, known, Q, width, i)
            for g in missing:
                _regress(Sigma, root, known, g, (Q, width, i), slopes)
            for g in missing:
                for h in missing:
                    rest = Sigma[(g * Q + h) * width + i]
                    for c in known:
                        rest -= slopes[(g * Q + c) * width + i] * Sigma[(c * Q + h) * width + i]
                    left[(g * Q + h) * width + i] = rest


@compiled
def _inverse_root(Sigma, known, Q, width, i):
    """Return the inverse of the Cholesky root of some rows and columns of one covariance."""
    n = len(known)
    root = np.zeros((n, n))
    for r in range(n):
        for c in range(r + 1):
            rest = Sigma[(known[r] * Q + known[c]) * width + i]
            for j in range(c):
                rest -= root[r, j] * root[c, j]
            root[r, c] = np.sqrt(rest) if r == c else rest / root[c, c]
    inverse = np.zeros((n, n))
    for c in range(n):
        inverse[c, c] = 1.0 / root[c, c]
        for r in range(c + 1, n):
            rest = 0.0
            for j in range(c, r):
                rest -= root[r, j] * inverse[j, c]
            inverse[r, c] = rest / root[r, r]
    return inverse


@compiled
def _regress(Sigma, root, known, missing, place, slopes):
    """Write the regression of one missing number on those known."""
    Q, width, i = place
    for r in range(len(known)):
        whitened = 0.0
        for c in range(r + 1):
            whitened += root[r, c] * Sigma[(known[c] * Q + missing) * width + i]
        for c in range(r + 1):
            slopes[(missing * Q + known[c]) * width + i] += whitened * root[r, c]


@compiled
def log_density(numbers, patterns, gaussians, out):
    """Write the log density of each record's known numbers under each component, flat."""
    known, rows, starts = patterns
    mu, Sigma = gaussians
    Q = numbers.shape[1]
    width = len(mu) // Q
    whiten, level, away = np.empty(len(Sigma)), np.empty(width), np.empty(Q * LANES)
    for p in range(len(known)):
        _whiten(Sigma, np.flatnonzero(known[p]), Q, whiten, level)
        for a in rows[starts[p] : starts[p + 1]]:
            for j in range(0, width, LANES):
                _distances(numbers, a, mu, width, j, away)
                squares = spread(0.0)
                for r in range(Q):
                    if known[p, r]:
                        y = spread(0.0)
                        for c in range(r + 1):
                            slope = load(whiten, (r * Q + c) * width + j)
                            y = add(y, multiply(slope, load(away, c * LANES)))
                        squares = add(squares, multiply(y, y))
                tile = subtract(load(level, j), multiply(spread(0.5), squares))
                store(out, a * width + j, tile)


# Inlined, since a call for every record and tile costs more than what it does.
@njit(nogil=True, error_model="numpy", inline="always")
def _distances(numbers, a, mu, width, j, away):
    """Write how far the known numbers of a record are from their means; zero where missing."""
    for q in range(numbers.shape[1]):
        x = numbers[a, q]
        if np.isnan(x):
            store(away, q * LANES, spread(0.0))
        else:
            store(away, q * LANES, subtract(spread(x), load(mu, q * width + j)))


@compiled
def moments(numbers, patterns, gaussians, shares, sums):
    """Add numbers and their products, by shares, to sums, (Q + Q Q, width), flat.

    Missing numbers as they are to be expected.
    """
    is_known, rows, starts = patterns
    mu, Sigma = gaussians
    Q = numbers.shape[1]
    width = len(mu) // Q
    slopes, left, held = np.empty(len(Sigma)), np.empty(len(Sigma)), np.empty(width)
    away, x = np.empty(Q * LANES), np.empty(Q * LANES)
    for p in range(len(is_known)):
        known, missing = np.flatnonzero(is_known[p]), np.flatnonzero(~is_known[p])
        _expect(Sigma, known, missing, width, slopes, left)
        held[:] = 0.0
        for a in rows[starts[p] : starts[p + 1]]:
            for j in range(0, width, LANES):
                share = load(shares, a * width + j)
                store(held, j, add(load(held, j), share))
                if len(missing) > 0:
                    _distances(numbers, a, mu, width, j, away)
                for r in range(Q):
                    if is_known[p, r]:
                        tile = spread(numbers[a, r])
                    else:
                        tile = load(mu, r * width + j)
                        for c in known:
                            slope = load(slopes, (r * Q + c) * width + j)
                            tile = add(tile, multiply(slope, load(away, c * LANES)))
                    store(x, r * LANES, tile)
                    part = multiply(share, tile)
                    store(sums, r * width + j, add(load(sums, r * width + j), part))
                    for c in range(r + 1):
                        at = (Q + r * Q + c) * width + j
                        store(sums, at, add(load(sums, at), multiply(part, load(x, c * LANES))))
        for at in range(len(left) if len(missing) > 0 else 0):
            sums[Q * width + at] += held[at % width] * left[at]
    for r in range(Q):
        for c in range(r):
            for i in range(width):
                sums[(Q + c * Q + r) * width + i] = sums[(Q + r * Q + c) * width + i]


@compiled
def cut_moments(cells, weights, patterns, gaussians, rules, shares):
    """Return the moments of the records that meet each rule, within its component, (c, Q + Q Q)."""
    is_known, rows, begins = patterns
    mu, Sigma = gaussians
    codes, numbers, _ = cells
    starts, attribute, value, active = rules
    Q = numbers.shape[1]
    width = len(mu) // Q
    slopes, left, x = np.empty(len(Sigma)), np.empty(len(Sigma)), np.empty(Q)
    sums = np.zeros((len(attribute), Q + Q * Q))
    for p in range(len(is_known)):
        known, missing = np.flatnonzero(is_known[p]), np.flatnonzero(~is_known[p])
        _expect(Sigma, known, missing, width, slopes, left)
        for a in rows[begins[p] : begins[p + 1]]:
            for i in range(len(starts) - 1):
                part = shares[a * width + i]
                if part <= active * weights[a] or starts[i] == starts[i + 1]:
                    continue
                for q in known:
                    x[q] = numbers[a, q]
                for g in missing:
                    x[g] = mu[g * width + i]
                    for c in known:
                        slope = slopes[(g * Q + c) * width + i]
                        x[g] += slope * (numbers[a, c] - mu[c * width + i])
                for rule in range(starts[i], starts[i + 1]):
                    if meets(codes, numbers, a, attribute[rule], value[rule]):
                        for r in range(Q):
                            sums[rule, r] += part * x[r]
                            for c in range(Q):
                                rest = left[(r * Q + c) * width + i]
                                sums[rule, Q + r * Q + c] += part * (x[r] * x[c] + rest)
    return sums
