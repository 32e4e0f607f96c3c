# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops over numbers that are independent within a component, in tiles of eight.

The functions of `gaussian_loops` for covariances that are diagonal. A missing number tells nothing
of the others, so that there are no patterns; it counts as its mean and variance.
"""

from __future__ import annotations

import numpy as np

from galileomix._kernels.loops import compiled, meets
from galileomix._kernels.tile import LANES, add, load, multiply, spread, store, subtract


@compiled
def log_density(numbers, gaussians, out):
    """Write the log density of each record's known numbers under each component, flat."""
    mu, variances = gaussians
    Q = numbers.shape[1]
    width = len(mu) // Q
    scale, level = _scales(variances)
    half = spread(0.5)
    for a in range(len(numbers)):
        for j in range(0, width, LANES):
            squares, height = spread(0.0), spread(0.0)
            for q in range(Q):
                x = numbers[a, q]
                if not np.isnan(x):
                    at = q * width + j
                    y = multiply(load(scale, at), subtract(spread(x), load(mu, at)))
                    squares = add(squares, multiply(y, y))
                    height = add(height, load(level, at))
            store(out, a * width + j, subtract(height, multiply(half, squares)))


@compiled
def _scales(variances):
    """Return one over each standard deviation, and the log density at the mean; padding is zero."""
    scale, level = np.zeros(len(variances)), np.zeros(len(variances))
    for at in range(len(variances)):
        if variances[at] > 0:
            scale[at] = 1.0 / np.sqrt(variances[at])
            level[at] = np.log(scale[at]) - 0.5 * np.log(2 * np.pi)
    return scale, level


@compiled
def moments(numbers, gaussians, shares, sums):
    """Add numbers and their squares, by shares, to sums, (Q + Q, width), flat."""
    mu, variances = gaussians
    Q = numbers.shape[1]
    width = len(mu) // Q
    for a in range(len(numbers)):
        for j in range(0, width, LANES):
            share = load(shares, a * width + j)
            for q in range(Q):
                at, square = q * width + j, (Q + q) * width + j
                x = numbers[a, q]
                if np.isnan(x):
                    tile = load(mu, at)
                    part = multiply(share, tile)
                    rest = multiply(share, load(variances, at))
                    store(sums, square, add(load(sums, square), rest))
                else:
                    tile = spread(x)
                    part = multiply(share, tile)
                store(sums, at, add(load(sums, at), part))
                store(sums, square, add(load(sums, square), multiply(part, tile)))


@compiled
def cut_moments(cells, weights, gaussians, rules, shares):
    """Return the moments of the records that meet each rule, within its component, (c, Q + Q)."""
    mu, variances = gaussians
    codes, numbers, _ = cells
    starts, attribute, value, active = rules
    Q = numbers.shape[1]
    width = len(mu) // Q
    x, square = np.empty(Q), np.empty(Q)
    sums = np.zeros((len(attribute), Q + Q))
    for a in range(len(numbers)):
        for i in range(len(starts) - 1):
            part = shares[a * width + i]
            if part <= active * weights[a] or starts[i] == starts[i + 1]:
                continue
            for q in range(Q):
                known = not np.isnan(numbers[a, q])
                x[q] = numbers[a, q] if known else mu[q * width + i]
                square[q] = x[q] * x[q] + (0.0 if known else variances[q * width + i])
            for rule in range(starts[i], starts[i + 1]):
                if meets(codes, numbers, a, attribute[rule], value[rule]):
                    for q in range(Q):
                        sums[rule, q] += part * x[q]
                        sums[rule, Q + q] += part * square[q]
    return sums
