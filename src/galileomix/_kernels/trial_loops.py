# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops over trials: what each adds, among what it keeps of one mixture.

What every trial adds is a group of components side by side (see `loops`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from galileomix._kernels.loops import (
    TILE,
    Rows,
    add_records,
    compiled,
    gather,
    keep_shares,
    log_joints,
    shared_out,
)
from galileomix._kernels.tile import (
    LANES,
    add,
    aligned,
    divide,
    exp,
    load,
    multiply,
    spread,
    store,
    subtract,
    total,
)

FAINT = 1e-280
"""Below this a density relative to the greatest has lost its digits."""


class Additions(NamedTuple):
    """What each trial adds, a group of ``rows`` for each, and what it multiplies the rest by."""

    factors: NDArray[np.float64]  # (trials * size of the mixture's group), flat
    rows: Rows
    active: float  # a component with no more than this of a record has no part in it


@compiled
def _among(t, size, share, factors, at):
    """Return the density of what a trial keeps for a record, relative to its greatest joint."""
    rest = spread(0.0)
    for j in range(0, size, LANES):
        rest = add(rest, multiply(load(share, t * size + j), load(factors, at + j)))
    return total(rest)


@compiled
def _faint(record, rows, factors, at, spare):
    """Return the log density of what a trial keeps for a record to which it hardly applies."""
    size = rows.width
    log_joints(record, rows, (0, size), spare, np.empty(1))
    high = -np.inf
    for j in range(size):
        if factors[at + j] > 0:
            high = max(high, spare[j])
    if high == -np.inf:
        return high
    density = 0.0
    for j in range(size):
        if factors[at + j] > 0:
            density += factors[at + j] * np.exp(spare[j] - high)
    return high + np.log(density)


@compiled
def _replace(log_rest, top_added, added, at, size):
    """Turn the log joints of what a trial adds for a record into shares of one, in place.

    Return the log density of the record under the trial.
    """
    high = max(top_added, log_rest)
    tiles = spread(0.0)
    for j in range(at, at + size, LANES):
        tile = exp(subtract(load(added, j), spread(high)))
        store(added, j, tile)
        tiles = add(tiles, tile)
    density = total(tiles) + np.exp(log_rest - high)
    for j in range(at, at + size, LANES):
        store(added, j, divide(load(added, j), spread(density)))
    return high + np.log(density)


@compiled
def expect_trials(rows, weights, additions, members, sums, gains):
    """One E-step of what every trial adds, among what it keeps; add to sums and gains."""
    size, n_trials = rows.width, len(gains)
    factors, added_rows, active = additions
    width = added_rows.width
    group_size = width // n_trials
    share, scale, tops = np.empty(TILE * size), np.empty(TILE), np.empty(TILE)
    added, highs = np.empty(TILE * group_size), np.empty(TILE)
    before, spare = np.empty(TILE), np.empty(size)
    joint, ones = aligned(len(added_rows.table), np.float64), np.ones(size)
    chosen, weight = np.empty(TILE, np.intp), np.empty(TILE)
    every = np.arange(len(weights))
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        log_joints(records, rows, (0, size), share, scale)
        tops[:] = scale
        shared_out(records, size, weights, share, scale)
        for t in range(len(records)):
            before[t] = np.log(_among(t, size, share, ones, 0))
        for trial in range(n_trials):
            place = (width, trial * group_size, group_size)
            log_joints(records, added_rows, (place[1], group_size), added, highs)
            n = 0
            for t in range(len(records)):
                a = records[t]
                rest = _among(t, size, share, factors, trial * size)
                if rest > FAINT:
                    rest = tops[t] + np.log(rest)
                else:
                    rest = _faint(records[t : t + 1], rows, factors, trial * size, spare)
                after = _replace(rest, highs[t], added, t * group_size, group_size)
                gains[trial] += weights[a] * (after - tops[t] - before[t])
                greatest = 0.0
                for j in range(group_size):
                    part = added[t * group_size + j]
                    greatest = max(greatest, part)
                    added[n * group_size + j] = part if part > active else 0.0
                if greatest > active:
                    chosen[n], weight[n] = a, weights[a]
                    n += 1
            add_records(chosen[:n], added_rows.codes, added, place, weight, joint)
            if len(sums.shares) > 0:
                keep_shares(chosen[:n], added, place, weight, sums.shares)
    gather(joint, members, sums.counts)
