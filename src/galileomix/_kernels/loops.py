# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops: records outside, attributes inside, components in tiles of eight.

Components stand side by side in groups: one group for a mixture, or one for the pairs within each
parent. A group is ``size`` wide, a multiple of `LANES`, padded with components that no record
belongs to; all groups together are ``width`` wide. Arrays of tiles are flat (see `tile`).

Records are taken `TILE` at a time, so that their shares stay in the nearest cache. What a loop
writes to is in its `Sums`, or named in its first line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from galileomix._kernels.compiler import compiler
from galileomix._kernels.tile import (
    LANES,
    add,
    aligned,
    divide,
    exp,
    load,
    log1p,
    maximum,
    multiply,
    spread,
    store,
    subtract,
    top,
    total,
    where_greater,
)

TILE = 64

compiled = compiler(error_model="numpy")

Flat = NDArray[np.floating]


class Rows(NamedTuple):
    """The records of a block, and what their log joints are the sum of."""

    codes: NDArray[np.unsignedinteger]  # (n, C) rows of the joint table (see `fuse`)
    table: Flat  # (R, width) log-probabilities, log alpha among them
    width: int
    log_density: Flat  # (n, width) what numbers add; empty where there are none


class Members(NamedTuple):
    """Row r of a joint table stands for rows ``of[starts[r]:starts[r + 1]]`` of the value axis."""

    starts: NDArray[np.intp]
    of: NDArray[np.intp]


class Sums(NamedTuple):
    """What an E-step adds to.

    ``shares`` may be the array of the log densities: the shares of a record are written when its
    log densities have been read for the last time.
    """

    counts: NDArray[np.float64]  # (V + 1, k) of values; the weights of components
    shares: Flat  # (n, width) for the moments of numbers; empty where there are none


class Rules(NamedTuple):
    """Cuts by component: rules ``starts[i]:starts[i + 1]`` are of component i."""

    starts: NDArray[np.intp]
    attribute: NDArray[np.intp]
    value: NDArray[np.float64]
    active: float  # a component with no more than this of a record has no part in it


class Cells(NamedTuple):
    """The attributes of a block one by one."""

    codes: NDArray[np.uint32]
    numbers: NDArray[np.float64]
    firsts: NDArray[np.intp]  # where the values of each attribute begin in the counts of a rule


class Pairs(NamedTuple):
    """The pairs within each parent: a group of ``rows`` for each of the parents."""

    parents: NDArray[np.intp]
    alpha: NDArray[np.float64]  # of all components
    rows: Rows
    active: float  # a component with no more than this of a record has no part in it


@compiled
def fuse(codes, steps, sizes, joint):
    """Write the rows of the joint table that stand for the codes of each record."""
    attributes, ends, firsts = steps
    for a in range(len(codes)):
        j = 0
        for c in range(len(ends)):
            row = 0
            while j < ends[c]:
                m = attributes[j]
                row = row * sizes[m] + np.int64(codes[a, m])
                j += 1
            joint[a, c] = firsts[c] + row


@compiled
def join(p, alpha, log_zero, members, width):
    """Return the joint table: each row the sum of its members' logarithms, padded.

    In the precision of what stands for log 0.
    """
    starts, of = members
    table = aligned((len(starts) - 1) * width, np.array([log_zero]).dtype)
    V, k = p.shape
    logs = np.empty((V + 1, k))
    for v in range(V + 1):
        row = p[v] if v < V else alpha
        for i in range(k):
            logs[v, i] = max(np.log(row[i]), log_zero) if row[i] > 0 else log_zero
    table[:] = -np.inf
    for r in range(len(starts) - 1):
        row = np.zeros(k)
        for j in range(starts[r], starts[r + 1]):
            row += logs[of[j]]
        table[r * width : r * width + k] = row
    return table


@compiled
def gather(joint, members, counts):
    """Add the counts of the joint table to those of its members on the value axis."""
    starts, of = members
    k = counts.shape[1]
    width = len(joint) // (len(starts) - 1)
    for r in range(len(starts) - 1):
        for j in range(starts[r], starts[r + 1]):
            value = counts[of[j]]
            for i in range(k):
                value[i] += joint[r * width + i]


@compiled
def log_joints(records, rows, group, out, tops):
    """Write log alpha_i + log Pr(x_a | C_i) of some records, and the greatest of each record."""
    codes, table, width, log_density = rows
    first, size = group
    C = codes.shape[1]
    for t in range(len(records)):
        a = records[t]
        greatest = spread(out.dtype.type(-np.inf))
        for j in range(0, size, LANES):
            at = first + j
            tile = load(table, np.intp(codes[a, 0]) * width + at)
            for m in range(1, C):
                tile = add(tile, load(table, np.intp(codes[a, m]) * width + at))
            if len(log_density) > 0:
                tile = add(tile, load(log_density, a * width + at))
            store(out, t * size + j, tile)
            greatest = maximum(greatest, tile)
        tops[t] = top(greatest)


@compiled
def shared_out(records, size, weights, share, scale):
    """Turn log joints into shares, in place, yet to be scaled; return the records' log-likelihood.

    ``scale`` comes with the greatest log joints, and leaves with what to multiply the shares by.
    Of records that weigh one the logarithm is taken together: their densities relative to the
    greatest are between 1 and k, and `TILE` of them multiplied stay within a double.
    """
    log_likelihood, product = 0.0, 1.0
    for t in range(len(records)):
        greatest = scale[t]
        high = spread(greatest)
        density = spread(share.dtype.type(0.0))
        for j in range(t * size, (t + 1) * size, LANES):
            tile = exp(subtract(load(share, j), high))
            store(share, j, tile)
            density = add(density, tile)
        relative, weight = np.float64(total(density)), weights[records[t]]
        if weight == 1.0:
            product *= relative
            log_likelihood += greatest
        else:
            log_likelihood += weight * (greatest + np.log(relative))
        scale[t] = weight / relative
    return log_likelihood + np.log(product)


@compiled
def add_records(records, codes, share, place, scale, joint):
    """Add some records to the joint counts of a group, by their scaled shares."""
    width, first, size = place
    for t in range(len(records)):
        a = records[t]
        factor = spread(scale[t])
        for j in range(0, size, LANES):
            part = multiply(load(share, t * size + j), factor)
            for m in range(codes.shape[1]):
                at = np.intp(codes[a, m]) * width + first + j
                store(joint, at, add(load(joint, at), part))


@compiled
def keep_shares(records, share, place, scale, shares):
    """Write down the scaled shares of some records."""
    width, first, size = place
    for t in range(len(records)):
        factor = spread(scale[t])
        for j in range(0, size, LANES):
            part = multiply(load(share, t * size + j), factor)
            store(shares, records[t] * width + first + j, part)


@compiled
def expect(rows, weights, members, sums):
    """One E-step over a block; add to its sums and return its log-likelihood."""
    size, dtype = rows.width, rows.table.dtype
    share, scale = np.empty(TILE * size, dtype), np.empty(TILE, dtype)
    joint = aligned(len(rows.table), dtype)
    place = (size, 0, size)
    every = np.arange(len(weights))
    log_likelihood = 0.0
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        log_joints(records, rows, (0, size), share, scale)
        log_likelihood += shared_out(records, size, weights, share, scale)
        add_records(records, rows.codes, share, place, scale, joint)
        if len(sums.shares) > 0:
            keep_shares(records, share, place, scale, sums.shares)
    gather(joint, members, sums.counts)
    return log_likelihood


@compiled
def log_joint(rows):
    """Return the log joints of every record and component, padding and all, flat."""
    n, size = len(rows.codes), rows.width
    out = np.empty(n * size)
    log_joints(np.arange(n), rows, (0, size), out, np.empty(n))
    return out


@compiled
def meets(codes, numbers, a, attribute, value):
    """Whether record a meets a rule (see `Cuts`)."""
    M, Q = codes.shape[1], numbers.shape[1]
    if attribute < M:
        return codes[a, attribute] == value
    if attribute < M + Q:
        return numbers[a, attribute - M] > value
    return codes[a, attribute - M - Q] <= value


@compiled
def which_meet(cells, attribute, value, met):
    """Write which records meet each rule, (n, c)."""
    codes, numbers, _ = cells
    for a in range(len(met)):
        for c in range(len(attribute)):
            met[a, c] = meets(codes, numbers, a, attribute[c], value[c])


@compiled
def count_cuts(rows, weights, rules, cells, counts, shares):
    """Add the records that meet each rule, within the rule's component, to its row of counts.

    ``shares`` are written as those of `Sums`.
    """
    size = rows.width
    starts, attribute, value, active = rules
    codes, numbers, firsts = cells
    share, scale = np.empty(TILE * size), np.empty(TILE)
    every = np.arange(len(weights))
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        log_joints(records, rows, (0, size), share, scale)
        shared_out(records, size, weights, share, scale)
        if len(shares) > 0:
            keep_shares(records, share, (size, 0, size), scale, shares)
        for t in range(len(records)):
            a = records[t]
            for i in range(len(starts) - 1):
                part = share[t * size + i] * scale[t]
                if part > active * weights[a]:
                    for c in range(starts[i], starts[i + 1]):
                        if meets(codes, numbers, a, attribute[c], value[c]):
                            counts[c, -1] += part
                            for m in range(codes.shape[1]):
                                counts[c, firsts[m] + codes[a, m]] += part


@compiled
def _part(n, size, weight, whole, half, gains):
    """Share n records between the two of each pair: log joints in, weighted shares out, in place.

    The first of each pair stand in the first half of the group, the second in the other half.
    ``whole`` is the log density of each record under the parent, which the pair gains upon.
    """
    one = spread(1.0)
    for t in range(n):
        w = spread(weight[t])
        for j in range(0, size // 2, LANES):
            at, mirror = t * size + j, t * size + size // 2 + j
            left, right = load(half, at), load(half, mirror)
            greater = maximum(left, right)
            ratio = exp(subtract(where_greater(left, right, right, left), greater))
            most = divide(w, add(one, ratio))
            least = multiply(most, ratio)
            store(half, at, where_greater(left, right, most, least))
            store(half, mirror, where_greater(left, right, least, most))
            gained = multiply(w, subtract(add(greater, log1p(ratio)), spread(whole[t])))
            store(gains, j, add(load(gains, j), gained))


@compiled
def expect_halves(rows, weights, pairs, members, sums, gains):
    """One E-step within every parent, between the two of its pairs; add to sums and gains."""
    size = rows.width
    parents, alpha, half_rows, active = pairs
    width = half_rows.width
    half_size = width // len(parents)
    share, scale, tops = np.empty(TILE * size), np.empty(TILE), np.empty(TILE)
    half, unscaled = np.empty(TILE * half_size), np.ones(TILE)
    joint = aligned(len(half_rows.table), np.float64)
    chosen, weight, whole = np.empty(TILE, np.intp), np.empty(TILE), np.empty(TILE)
    every = np.arange(len(weights))
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        log_joints(records, rows, (0, size), share, scale)
        tops[:] = scale
        shared_out(records, size, weights, share, scale)
        for group in range(len(parents)):
            i = parents[group]
            n = 0
            for t in range(len(records)):
                part = share[t * size + i] * scale[t]
                if part > active * weights[records[t]]:
                    chosen[n], weight[n] = records[t], part
                    whole[n] = tops[t] + np.log(share[t * size + i]) - np.log(alpha[i])
                    n += 1
            place = (width, group * half_size, half_size)
            log_joints(chosen[:n], half_rows, (place[1], half_size), half, unscaled)
            unscaled[:] = 1.0
            _part(n, half_size, weight, whole, half, gains[group])
            add_records(chosen[:n], half_rows.codes, half, place, unscaled, joint)
            if len(sums.shares) > 0:
                keep_shares(chosen[:n], half, place, unscaled, sums.shares)
    gather(joint, members, sums.counts)
