# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""What known numbers say of missing ones, pattern by pattern, under one component.

A pattern takes one factorisation: of the covariance of its known numbers, or of the inverse
covariance of its missing ones, whichever is smaller. So it costs no more than half of the numbers
would. Rows come sorted by pattern: ``starts[p]:starts[p + 1]`` know what ``known[p]`` says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from galileomix._kernels.gaussian.symmetric_loops import factor, forward, less_gram, solve
from galileomix._kernels.loops import compiled
from galileomix._kernels.tile import LANES


class Matrices(NamedTuple):
    """The covariance of a component, its inverse, and the logarithm of its determinant."""

    Sigma: NDArray[np.float64]
    precision: NDArray[np.float64]
    log_det: float


class Left(NamedTuple):
    """How often each pattern counts, (P, c), and what is added to, (c, Q, Q), upper halves."""

    held: NDArray[np.float64]
    sums: NDArray[np.float64]


@njit(nogil=True, error_model="numpy", inline="always")
def _padded(n):
    return (n + LANES - 1) // LANES * LANES


@compiled
def _pick(A, rows, columns, room):
    """Write some rows and columns of a matrix into room; return the padded length of a row."""
    stride = _padded(len(columns))
    for r in range(len(rows)):
        for c in range(len(columns)):
            room[r * stride + c] = A[rows[r], columns[c]]
        room[r * stride + len(columns) : (r + 1) * stride] = 0.0
    return stride


@compiled
def solve_patterns(known, starts, matrices, sides, log_det, left):
    """Solve for what each row's missing numbers are to be expected from.

    ``sides``, (n, Q), comes with the known numbers' distances from their means, and with what the
    inverse covariance makes of them where numbers are missing. Where no more are missing than
    known, minus the expected distances are left there; else, at the known numbers, what the
    covariance turns into expected ones, and zero at the missing. ``log_det`` is added, for each
    row, how much greater that of the known numbers is than that of all. The covariance left of
    missing numbers is added, as often as ``left`` says (see `Left`), to its sums.
    """
    Sigma, precision, whole = matrices
    held, sums = left
    Q = known.shape[1]
    root, x = np.empty(Q * _padded(Q)), np.empty(_padded(Q))
    rooms = np.empty(Q * _padded(Q)), np.empty(Q * _padded(Q))
    for p in range(len(known)):
        here, gone = np.flatnonzero(known[p]), np.flatnonzero(~known[p])
        if len(gone) == 0:
            continue
        few_missing = len(gone) <= len(here)
        used = gone if few_missing else here
        stride = _pick(precision if few_missing else Sigma, used, used, root)
        level = factor(root, len(used), stride) - (0.0 if few_missing else whole)
        for a in range(starts[p], starts[p + 1]):
            _solve_row(root, stride, used, sides[a], x)
            log_det[a] += level
        if held.shape[1] > 0:
            if few_missing:
                columns, sign = _inverse(root, len(gone), stride, rooms), -1.0
            else:
                columns, sign = _rest(root, stride, Sigma, here, gone, rooms), 1.0
            _add(sign, rooms[1], columns, gone, held[p], sums)


@compiled
def _solve_row(root, stride, used, side, x):
    """Solve for some cells of a row; the others are set to zero."""
    x[:] = 0.0
    for j in range(len(used)):
        x[j] = side[used[j]]
    solve(root, len(used), stride, x)
    side[:] = 0.0
    for j in range(len(used)):
        side[used[j]] = x[j]


@compiled
def _inverse(root, n, stride, rooms):
    """Write minus the inverse of what was factored; return the length of its rows."""
    right, left = rooms
    right[: n * stride], left[: n * stride] = 0.0, 0.0
    for r in range(n):
        right[r * stride + r] = 1.0
    forward(root, n, stride, right, stride, True)
    less_gram(right, n, stride, left, n, True)
    return stride


@compiled
def _rest(root, stride, Sigma, here, gone, rooms):
    """Write the covariance of missing numbers less what those known explain of it."""
    right, left = rooms
    columns = _pick(Sigma, here, gone, right)
    _pick(Sigma, gone, gone, left)
    forward(root, len(here), stride, right, columns, False)
    less_gram(right, len(here), columns, left, len(gone), False)
    return columns


@compiled
def _add(sign, left, columns, gone, held, sums):
    """Add the covariance left of missing numbers to the upper halves of sums."""
    for c in range(len(held)):
        factor = sign * held[c]
        if factor != 0.0:
            for r in range(len(gone)):
                for s in range(r, len(gone)):
                    sums[c, gone[r], gone[s]] += factor * left[r * columns + s]
