# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""Symmetric matrices that are positive definite: factors, and what is solved with them.

Matrices are flat, (n, stride) with rows of whole tiles; of symmetric ones the upper half counts.
Rows are subtracted from others four at a time, so that what is loaded is used. Each of these is a
few microseconds where a call of LAPACK has hardly begun, and as fast as it for hundreds of rows.
"""

from __future__ import annotations

import numpy as np

from galileomix._kernels.loops import compiled
from galileomix._kernels.tile import LANES, add, load, multiply, spread, store, total, without


@compiled
def _less_one(target, at, source, row, factor, begin, end):
    """Subtract a row times a factor from another, from one column up to another."""
    f = spread(factor)
    for c in range(begin, end, LANES):
        store(target, at + c, without(load(target, at + c), f, load(source, row + c)))


@compiled
def _less_four(target, at, source, row, factors, begin, end):
    """Subtract four rows times their factors; ``row`` is where each of them begins."""
    r0, r1, r2, r3 = row
    f0, f1, f2, f3 = spread(factors[0]), spread(factors[1]), spread(factors[2]), spread(factors[3])
    for c in range(begin, end, LANES):
        tile = load(target, at + c)
        tile = without(tile, f0, load(source, r0 + c))
        tile = without(tile, f1, load(source, r1 + c))
        tile = without(tile, f2, load(source, r2 + c))
        tile = without(tile, f3, load(source, r3 + c))
        store(target, at + c, tile)


@compiled
def _scale(target, at, factor, begin, end):
    """Multiply a row by a factor."""
    f = spread(factor)
    for c in range(begin, end, LANES):
        store(target, at + c, multiply(f, load(target, at + c)))


@compiled
def factor(A, n, stride):
    """Turn A into the upper U with U'U = A, in place; return log det A.

    The diagonal of U is left as its inverse.
    """
    log_det = 0.0
    for j in range(0, n, 4):
        for r in range(j, min(j + 4, n)):
            begin = r // LANES * LANES
            for e in range(j, r):
                _less_one(A, r * stride, A, e * stride, A[e * stride + r], begin, stride)
            pivot = A[r * stride + r]
            log_det += np.log(pivot)
            _scale(A, r * stride, 1.0 / np.sqrt(pivot), begin, stride)
        rows = (j * stride, (j + 1) * stride, (j + 2) * stride, (j + 3) * stride)
        for r in range(j + 4, n):
            factors = (A[rows[0] + r], A[rows[1] + r], A[rows[2] + r], A[rows[3] + r])
            _less_four(A, r * stride, A, rows, factors, r // LANES * LANES, stride)
    for r in range(n):
        A[r * stride + r] = 1.0 / A[r * stride + r]
    return log_det


@compiled
def solve(U, n, stride, x):
    """Solve U'U y = x in place; x is as long as a row, zero beyond n."""
    for e in range(n):
        x[e] *= U[e * stride + e]
        value, begin = x[e], (e + 1) // LANES * LANES
        for c in range(e + 1, min(begin + LANES, n)):
            x[c] -= value * U[e * stride + c]
        _less_one(x, 0, U, e * stride, value, begin + LANES, stride)
    for r in range(n - 1, -1, -1):
        begin = (r + 1) // LANES * LANES
        rest = 0.0
        for c in range(r + 1, min(begin + LANES, n)):
            rest += U[r * stride + c] * x[c]
        sums = spread(0.0)
        for c in range(begin + LANES, stride, LANES):
            sums = add(sums, multiply(load(U, r * stride + c), load(x, c)))
        x[r] = (x[r] - rest - total(sums)) * U[r * stride + r]


@compiled
def forward(U, n, stride, R, columns, triangular):
    """Solve U'Y = R in place for the columns of R, (n, columns), flat.

    Where it is ``triangular`` row j of R has nothing beyond column j, and so has Y.
    """
    for j in range(n):
        end = (j // LANES + 1) * LANES if triangular else columns
        e = 0
        while e + 4 <= j:
            at, rows = e * stride + j, e * columns
            factors = (U[at], U[at + stride], U[at + 2 * stride], U[at + 3 * stride])
            row = (rows, rows + columns, rows + 2 * columns, rows + 3 * columns)
            _less_four(R, j * columns, R, row, factors, 0, end)
            e += 4
        for rest in range(e, j):
            _less_one(R, j * columns, R, rest * columns, U[rest * stride + j], 0, end)
        _scale(R, j * columns, U[j * stride + j], 0, end)


@compiled
def less_gram(R, n, columns, out, size, triangular):
    """Subtract R'R from the upper half of out, (size, columns), flat."""
    for j in range(0, n, 4):
        last = min(j + 4, n)
        for r in range(min(last, size) if triangular else size):
            begin, end = r // LANES * LANES, columns
            if triangular:
                end = ((last - 1) // LANES + 1) * LANES
            at = j * columns + r
            if last - j == 4:
                row = (j * columns, (j + 1) * columns, (j + 2) * columns, (j + 3) * columns)
                factors = (R[at], R[at + columns], R[at + 2 * columns], R[at + 3 * columns])
                _less_four(out, r * columns, R, row, factors, begin, end)
            else:
                for b in range(j, last):
                    _less_one(out, r * columns, R, b * columns, R[b * columns + r], begin, end)
