# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops over numbers, components in tiles of eight.

Records that know the same numbers share a pattern. ``holes`` is the patterns, (P, Q), the rows in
the order of their patterns, and where each pattern begins among them. ``gaussians`` is mu,
(Q, width), and Sigma, (Q, Q, width), flat, and whether Sigma is diagonal. For one pattern at a
time, and every component, there is

``whiten``  lower triangular: times the distances of the known numbers from their means it gives
            independent ones of unit variance
``fill``    times the same distances it gives those to be expected of the unknown numbers
``left``    the covariance that is left of the unknown numbers

all (Q, Q, width), flat; and ``level``, (width,), the log density at the mean. Rows and columns that
do not concern the pattern are zero.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from galileomix._kernels.loops import compiled
from galileomix._kernels.tile import LANES, add, load, multiply, spread, store, subtract


@compiled
def _whiten(Sigma, here, Q, whiten, level):
    """Write what whitens the known numbers; padding is left zero."""
    width = len(level)
    whiten[:], level[:] = 0.0, 0.0
    for i in range(width):
        if Sigma[i] > 0:
            root = _inverse_root(Sigma, here, Q, width, i)
            for r in range(len(here)):
                level[i] += np.log(root[r, r]) - 0.5 * np.log(2 * np.pi)
                for c in range(r + 1):
                    whiten[(here[r] * Q + here[c]) * width + i] = root[r, c]


@compiled
def _expect(Sigma, here, gone, width, fill, left):
    """Write what the known numbers say of the unknown ones."""
    Q = len(here) + len(gone)
    fill[:], left[:] = 0.0, 0.0
    for i in range(width):
        if len(gone) > 0 and Sigma[i] > 0:
            root = _inverse_root(Sigma, here, Q, width, i)
            for g in gone:
                _regress(Sigma, root, here, g, (Q, width, i), fill)
            for g in gone:
                for h in gone:
                    rest = Sigma[(g * Q + h) * width + i]
                    for c in here:
                        rest -= fill[(g * Q + c) * width + i] * Sigma[(c * Q + h) * width + i]
                    left[(g * Q + h) * width + i] = rest


@compiled
def _inverse_root(Sigma, here, Q, width, i):
    """Return the inverse of the Cholesky root of some rows and columns of one covariance."""
    n = len(here)
    root = np.zeros((n, n))
    for r in range(n):
        for c in range(r + 1):
            rest = Sigma[(here[r] * Q + here[c]) * width + i]
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
def _regress(Sigma, root, here, gone, place, fill):
    """Write the regression of one unknown number on those known."""
    Q, width, i = place
    for r in range(len(here)):
        whitened = 0.0
        for c in range(r + 1):
            whitened += root[r, c] * Sigma[(here[c] * Q + gone) * width + i]
        for c in range(r + 1):
            fill[(gone * Q + here[c]) * width + i] += whitened * root[r, c]


@compiled
def log_density(numbers, holes, gaussians, out):
    """Write the log density of each record's known numbers under each component, flat."""
    patterns, order, starts = holes
    mu, Sigma, diagonal = gaussians
    Q = numbers.shape[1]
    width = len(mu) // Q
    whiten, level, away = np.empty(len(Sigma)), np.empty(width), np.empty(Q * LANES)
    for p in range(len(patterns)):
        _whiten(Sigma, np.flatnonzero(patterns[p]), Q, whiten, level)
        for a in order[starts[p] : starts[p + 1]]:
            for j in range(0, width, LANES):
                _distances(numbers, a, mu, width, j, away)
                squares = spread(0.0)
                for r in range(Q):
                    if patterns[p, r]:
                        y = spread(0.0)
                        for c in range(r if diagonal else 0, r + 1):
                            slope = load(whiten, (r * Q + c) * width + j)
                            y = add(y, multiply(slope, load(away, c * LANES)))
                        squares = add(squares, multiply(y, y))
                tile = subtract(load(level, j), multiply(spread(0.5), squares))
                store(out, a * width + j, tile)


# Inlined, since a call for every record and tile costs more than what it does.
@njit(nogil=True, error_model="numpy", inline="always")
def _distances(numbers, a, mu, width, j, away):
    """Write how far the known numbers of a record are from their means; zero where unknown."""
    for q in range(numbers.shape[1]):
        x = numbers[a, q]
        if np.isnan(x):
            store(away, q * LANES, spread(0.0))
        else:
            store(away, q * LANES, subtract(spread(x), load(mu, q * width + j)))


@compiled
def moments(numbers, holes, gaussians, shares, sums):
    """Add up numbers and their products by shares; what is unknown as it is to be expected.

    ``sums``, (Q + Q Q, width), flat. Of independent numbers only the squares are wanted.
    """
    patterns, order, starts = holes
    mu, Sigma, diagonal = gaussians
    Q = numbers.shape[1]
    width = len(mu) // Q
    fill, left, held = np.empty(len(Sigma)), np.empty(len(Sigma)), np.empty(width)
    away, x = np.empty(Q * LANES), np.empty(Q * LANES)
    for p in range(len(patterns)):
        here, gone = np.flatnonzero(patterns[p]), np.flatnonzero(~patterns[p])
        _expect(Sigma, here, gone, width, fill, left)
        held[:] = 0.0
        for a in order[starts[p] : starts[p + 1]]:
            for j in range(0, width, LANES):
                share = load(shares, a * width + j)
                store(held, j, add(load(held, j), share))
                if len(gone) > 0:
                    _distances(numbers, a, mu, width, j, away)
                for r in range(Q):
                    if patterns[p, r]:
                        tile = spread(numbers[a, r])
                    else:
                        tile = load(mu, r * width + j)
                        for c in here:
                            slope = load(fill, (r * Q + c) * width + j)
                            tile = add(tile, multiply(slope, load(away, c * LANES)))
                    store(x, r * LANES, tile)
                    part = multiply(share, tile)
                    store(sums, r * width + j, add(load(sums, r * width + j), part))
                    for c in range(r if diagonal else 0, r + 1):
                        at = (Q + r * Q + c) * width + j
                        store(sums, at, add(load(sums, at), multiply(part, load(x, c * LANES))))
        for at in range(len(left) if len(gone) > 0 else 0):
            sums[Q * width + at] += held[at % width] * left[at]
    for r in range(Q):
        for c in range(r):
            for i in range(width):
                sums[(Q + c * Q + r) * width + i] = sums[(Q + r * Q + c) * width + i]


@compiled
def cut_moments(numbers, holes, gaussians, shares, rules, codes, active):
    """Return the moments of the records that meet each rule, within its component, (c, Q + Q Q)."""
    patterns, order, begins = holes
    mu, Sigma, diagonal = gaussians
    weights, shares = shares
    starts, attribute, value = rules
    Q, M = numbers.shape[1], codes.shape[1]
    width = len(mu) // Q
    fill, left, x = np.empty(len(Sigma)), np.empty(len(Sigma)), np.empty(Q)
    sums = np.zeros((len(attribute), Q + Q * Q))
    for p in range(len(patterns)):
        here, gone = np.flatnonzero(patterns[p]), np.flatnonzero(~patterns[p])
        _expect(Sigma, here, gone, width, fill, left)
        for a in order[begins[p] : begins[p + 1]]:
            for i in range(len(starts) - 1):
                part = shares[a * width + i]
                if part <= active * weights[a] or starts[i] == starts[i + 1]:
                    continue
                for q in here:
                    x[q] = numbers[a, q]
                for g in gone:
                    x[g] = mu[g * width + i]
                    for c in here:
                        slope = fill[(g * Q + c) * width + i]
                        x[g] += slope * (numbers[a, c] - mu[c * width + i])
                for rule in range(starts[i], starts[i + 1]):
                    m = attribute[rule]
                    met = codes[a, m] == value[rule] if m < M else numbers[a, m - M] > value[rule]
                    if met:
                        for r in range(Q):
                            sums[rule, r] += part * x[r]
                            for c in range(r if diagonal else 0, r + 1 if diagonal else Q):
                                rest = left[(r * Q + c) * width + i]
                                sums[rule, Q + r * Q + c] += part * (x[r] * x[c] + rest)
    return sums
