# pyright: basic, reportCallIssue=false
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops: records outside, attributes inside, components in tiles of eight.

``codes`` are rows of a joint table (see `fuse`), (n, C). ``table`` is that table of
log-probabilities, log alpha among them, flat, its rows ``width`` wide: one group of components
for a mixture, or one group for the pairs within each parent. A group is `size` wide, a multiple of
`LANES`, padded with components that no record belongs to.

``extra`` is what numbers add to the log joints, (n, width), flat, and ``kept`` takes the shares of
the records, from which the moments of numbers follow. Both are empty where there are no numbers.

Records are taken `TILE` at a time, so that their shares stay in the nearest cache.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from galileomix._kernels.tile import (
    LANES,
    add,
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

compiled = njit(nogil=True, cache=True, error_model="numpy")


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
def join(p, alpha, log_zero, plan, width, table):
    """Write the joint table: each row the sum of its members' logarithms, padded."""
    starts, members = plan
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
            row += logs[members[j]]
        table[r * width : r * width + k] = row


@compiled
def _gather(joint, starts, members, values):
    """Add the counts of the joint table to those of its members on the value axis."""
    k = values.shape[1]
    width = len(joint) // (len(starts) - 1)
    for r in range(len(starts) - 1):
        for j in range(starts[r], starts[r + 1]):
            value = values[members[j]]
            for i in range(k):
                value[i] += joint[r * width + i]


@compiled
def _joint(records, rows, table, group, out, tops):
    """Write log alpha_i + log Pr(x_a | C_i) of some records, and the greatest of each record."""
    codes, extra, width = rows
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
            if len(extra) > 0:
                tile = add(tile, load(extra, a * width + at))
            store(out, t * size + j, tile)
            greatest = maximum(greatest, tile)
        tops[t] = top(greatest)


@compiled
def _share(records, size, weights, share, scale):
    """Turn log joints into shares, yet to be scaled; return the records' log-likelihood.

    ``scale`` holds the greatest log joints, and then what to multiply the shares by. Of records
    that weigh one the logarithm is taken together: their densities relative to the greatest are
    between 1 and k, and `TILE` of them multiplied stay within a double.
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
def _add(records, codes, share, place, scale, counts):
    """Add some records to the counts of a group, by their scaled shares."""
    width, first, size = place
    for t in range(len(records)):
        a = records[t]
        factor = spread(scale[t])
        for j in range(0, size, LANES):
            part = multiply(load(share, t * size + j), factor)
            for m in range(codes.shape[1]):
                at = np.intp(codes[a, m]) * width + first + j
                store(counts, at, add(load(counts, at), part))


@compiled
def _keep(records, share, place, scale, kept):
    """Write down the scaled shares of some records."""
    width, first, size = place
    for t in range(len(records)):
        factor = spread(scale[t])
        for j in range(0, size, LANES):
            part = multiply(load(share, t * size + j), factor)
            store(kept, records[t] * width + first + j, part)


@compiled
def expect(rows, weights, table, plan, sums):
    """One E-step over a block; write its counts and return its log-likelihood."""
    codes, _, size = rows
    counts, values, kept = sums
    share, scale = np.empty(TILE * size, table.dtype), np.empty(TILE, table.dtype)
    place = (size, 0, size)
    every = np.arange(len(weights))
    log_likelihood = 0.0
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        _joint(records, rows, table, (0, size), share, scale)
        log_likelihood += _share(records, size, weights, share, scale)
        _add(records, codes, share, place, scale, counts)
        if len(kept) > 0:
            _keep(records, share, place, scale, kept)
    _gather(counts, plan[0], plan[1], values)
    return log_likelihood


@compiled
def log_joint(rows, table, n):
    """Return the log joints of every record and component, padding and all, flat."""
    size = rows[2]
    out = np.empty(n * size)
    _joint(np.arange(n), rows, table, (0, size), out, np.empty(n))
    return out


@compiled
def count_cuts(rows, weights, table, rules, attributes, sums, active):
    """Count the records that meet each rule, within the rule's component; sums are by rule."""
    size = rows[2]
    starts, attribute, value = rules
    codes, numbers, firsts = attributes
    counts, kept = sums
    M = codes.shape[1]
    share, scale = np.empty(TILE * size), np.empty(TILE)
    every = np.arange(len(weights))
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        _joint(records, rows, table, (0, size), share, scale)
        _share(records, size, weights, share, scale)
        if len(kept) > 0:
            _keep(records, share, (size, 0, size), scale, kept)
        for t in range(len(records)):
            a = records[t]
            for i in range(len(starts) - 1):
                part = share[t * size + i] * scale[t]
                if part > active * weights[a]:
                    for c in range(starts[i], starts[i + 1]):
                        m = attribute[c]
                        met = codes[a, m] == value[c] if m < M else numbers[a, m - M] > value[c]
                        if met:
                            counts[c, -1] += part
                            for m in range(M):
                                counts[c, firsts[m] + codes[a, m]] += part


@compiled
def _part(n, size, weight, whole, half, gains):
    """Share n records between the two of each pair: log joints in, weighted shares out.

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
def expect_halves(rows, weights, table, halves, plan, sums, active):
    """One E-step within every parent, between the two of each of its pairs."""
    size = rows[2]
    parents, alpha, half_rows, half_table = halves
    counts, values, gains, kept = sums
    width = half_rows[2]
    half_size = width // len(parents)
    share, scale, tops = np.empty(TILE * size), np.empty(TILE), np.empty(TILE)
    half, unscaled = np.empty(TILE * half_size), np.ones(TILE)
    chosen, weight, whole = np.empty(TILE, np.intp), np.empty(TILE), np.empty(TILE)
    every = np.arange(len(weights))
    for begin in range(0, len(weights), TILE):
        records = every[begin : begin + TILE]
        _joint(records, rows, table, (0, size), share, scale)
        tops[:] = scale
        _share(records, size, weights, share, scale)
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
            _joint(chosen[:n], half_rows, half_table, (place[1], half_size), half, unscaled)
            unscaled[:] = 1.0
            _part(n, half_size, weight, whole, half, gains[group])
            _add(chosen[:n], half_rows[0], half, place, unscaled, counts)
            if len(kept) > 0:
                _keep(chosen[:n], half, place, unscaled, kept)
    _gather(counts, plan[0], plan[1], values)
