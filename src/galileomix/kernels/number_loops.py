# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops over numbers, components in tiles of eight.

Records that know the same numbers share a pattern. For every pattern and component there is

``whiten``  (patterns, Q, Q, width) lower triangular: times the distances of the known numbers
            from their means it gives independent ones of unit variance
``fill``    (patterns, Q, Q, width) times the same distances it gives those to be expected of the
            unknown numbers
``left``    (patterns, Q, Q, width) the covariance that is left of the unknown numbers
``level``   (patterns, width) the log density at the mean

all flat. Rows and columns that do not concern a pattern are zero.
"""

from __future__ import annotations

import numpy as np

from galileomix.kernels.loops import compiled
from galileomix.kernels.tile import LANES, add, load, multiply, spread, store, subtract


@compiled
def prepare(Sigma, patterns):
    """Return whiten, fill, left and level for covariances, (Q, Q, width); padding is left zero."""
    Q, width, P = Sigma.shape[0], Sigma.shape[2], len(patterns)
    whiten, fill, left = (
        np.zeros((P, Q, Q, width)),
        np.zeros((P, Q, Q, width)),
        np.zeros((P, Q, Q, width)),
    )
    level = np.zeros((P, width))
    for p in range(P):
        here, gone = np.flatnonzero(patterns[p]), np.flatnonzero(~patterns[p])
        for i in range(width):
            if Sigma[0, 0, i] > 0:
                part = np.ascontiguousarray(Sigma[:, :, i])
                root = _inverse_root(part, here)
                for r in range(len(here)):
                    level[p, i] += np.log(root[r, r]) - 0.5 * np.log(2 * np.pi)
                    for c in range(r + 1):
                        whiten[p, here[r], here[c], i] = root[r, c]
                for g in gone:
                    _regress(part, root, here, g, fill[p, g, :, i])
                for g in gone:
                    for h in gone:
                        rest = part[g, h]
                        for c in here:
                            rest -= fill[p, g, c, i] * part[c, h]
                        left[p, g, h, i] = rest
    return whiten.ravel(), fill.ravel(), left.ravel(), level.ravel()


@compiled
def _inverse_root(Sigma, here):
    """Return the inverse of the Cholesky root of some rows and columns."""
    n = len(here)
    root = np.zeros((n, n))
    for r in range(n):
        for c in range(r + 1):
            rest = Sigma[here[r], here[c]]
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
def _regress(Sigma, root, here, gone, slope):
    """Write the regression of one unknown number on those known."""
    n = len(here)
    for r in range(n):
        whitened = 0.0
        for c in range(r + 1):
            whitened += root[r, c] * Sigma[here[c], gone]
        for c in range(r + 1):
            slope[here[c]] += whitened * root[r, c]


@compiled
def log_density(numbers, which, mu, whiten, level, out):
    """Write the log density of each record's known numbers under each component, flat."""
    n, Q = numbers.shape
    width = len(out) // max(n, 1)
    away = np.zeros(Q * LANES)
    for a in range(n):
        p = which[a]
        for j in range(0, width, LANES):
            _distances(numbers, a, mu, width, j, away)
            squares = spread(0.0)
            for r in range(Q):
                if not np.isnan(numbers[a, r]):
                    y = spread(0.0)
                    for c in range(r + 1):
                        at = ((p * Q + r) * Q + c) * width + j
                        y = add(y, multiply(load(whiten, at), load(away, c * LANES)))
                    squares = add(squares, multiply(y, y))
            tile = subtract(load(level, p * width + j), multiply(spread(0.5), squares))
            store(out, a * width + j, tile)


@compiled
def _distances(numbers, a, mu, width, j, away):
    """Write how far the known numbers of a record are from their means; zero where unknown."""
    for q in range(numbers.shape[1]):
        x = numbers[a, q]
        if np.isnan(x):
            store(away, q * LANES, spread(0.0))
        else:
            store(away, q * LANES, subtract(spread(x), load(mu, q * width + j)))


@compiled
def moments(numbers, which, mu, fill, left, shares, sums):
    """Add up numbers and their products by shares; what is unknown as it is to be expected.

    ``sums``, (Q + Q Q, width), flat.
    """
    n, Q = numbers.shape
    width = len(shares) // max(n, 1)
    held = np.zeros(len(left) // max(Q * Q, 1))
    away, x = np.zeros(Q * LANES), np.zeros(Q * LANES)
    for a in range(n):
        p = which[a]
        for j in range(0, width, LANES):
            share = load(shares, a * width + j)
            at = p * width + j
            store(held, at, add(load(held, at), share))
            _distances(numbers, a, mu, width, j, away)
            for r in range(Q):
                if np.isnan(numbers[a, r]):
                    tile = load(mu, r * width + j)
                    for c in range(Q):
                        at = ((p * Q + r) * Q + c) * width + j
                        tile = add(tile, multiply(load(fill, at), load(away, c * LANES)))
                else:
                    tile = spread(numbers[a, r])
                store(x, r * LANES, tile)
                part = multiply(share, tile)
                at = r * width + j
                store(sums, at, add(load(sums, at), part))
                for c in range(r + 1):
                    at = (Q + r * Q + c) * width + j
                    store(sums, at, add(load(sums, at), multiply(part, load(x, c * LANES))))
    _complete(Q, width, held, left, sums)


@compiled
def _complete(Q, width, held, left, sums):
    """Add the covariances that are left, and mirror the products."""
    for r in range(Q):
        for c in range(r + 1):
            for i in range(width):
                at = (Q + r * Q + c) * width + i
                for p in range(len(held) // width):
                    sums[at] += held[p * width + i] * left[((p * Q + r) * Q + c) * width + i]
                sums[(Q + c * Q + r) * width + i] = sums[at]


@compiled
def cut_moments(numbers, which, gaussians, shares, rules, codes, active):
    """Return the moments of the records that meet each rule, within its component, (c, Q + Q Q)."""
    mu, fill, left = gaussians
    weights, shares = shares
    starts, attribute, value = rules
    n, Q = numbers.shape
    M, width = codes.shape[1], len(shares) // max(n, 1)
    sums = np.zeros((len(attribute), Q + Q * Q))
    x = np.empty(Q)
    for a in range(n):
        p = which[a]
        for i in range(len(starts) - 1):
            part = shares[a * width + i]
            if part <= active * weights[a] or starts[i] == starts[i + 1]:
                continue
            for r in range(Q):
                x[r] = numbers[a, r]
                if np.isnan(x[r]):
                    x[r] = mu[r * width + i]
                    for c in range(Q):
                        if not np.isnan(numbers[a, c]):
                            slope = fill[((p * Q + r) * Q + c) * width + i]
                            x[r] += slope * (numbers[a, c] - mu[c * width + i])
            for rule in range(starts[i], starts[i + 1]):
                m = attribute[rule]
                met = codes[a, m] == value[rule] if m < M else numbers[a, m - M] > value[rule]
                if met:
                    for r in range(Q):
                        sums[rule, r] += part * x[r]
                        for c in range(Q):
                            rest = left[((p * Q + r) * Q + c) * width + i]
                            sums[rule, Q + r * Q + c] += part * (x[r] * x[c] + rest)
    return sums
