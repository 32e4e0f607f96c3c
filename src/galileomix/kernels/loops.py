# pyright: basic
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""The compiled loops. Plain arrays in tuples, records outside, components inside.

``Rows``: joint columns (see `fuse`), numbers, weights.
``Tables``: log-probabilities of the joint columns, log alpha among them, (R, groups, k); then mu,
1 / (2 var) and log sqrt(2 pi var) of the numbers, (3, Q, groups, k). A mixture is one group; the
pairs within each parent are one group each.

Components are padded to a multiple of `LANES` with ones that no record belongs to, so that the
inner loops fill whole vector registers. Records are taken `TILE` at a time: their shares stay in
the nearest cache, and all exponentials of a tile are one long loop. Sums of a record are written
out in four strands, which fixes their order; nothing here lets the compiler choose one.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit

from galileomix.model.params import Floats
from galileomix.table.column import Codes

Rows: TypeAlias = tuple[Codes, Floats, Floats]
Tables: TypeAlias = tuple[Floats, Floats]

LANES = 4
TILE = 64

NEGLIGIBLE = -708.0
"""The least exponential that a double holds with all its digits; less becomes zero. Smaller
shares than that of one part in 2**53 add nothing to a count, but where no other component takes
a record after a pruning they say which one does."""

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
ROUND = 6755399441055744.0
"""1.5 * 2**52: adding it leaves the nearest whole number in the lowest bits."""


# A fused multiply-add is the only liberty taken: it rounds once where two would round twice.
@njit(nogil=True, cache=True, fastmath={"contract"})
def _exp(x, n):
    """Replace the first n numbers, none above zero, by their exponentials.

    exp(x) = 2**w exp(r) with w whole and abs(r) < 0.35, where twelve terms of the series are
    exact to one unit in the last place. The library's own would be called one by one.
    """
    for i in range(n):
        d = max(x[i], NEGLIGIBLE)
        shifted = d * LOG2_E + ROUND
        whole = shifted - ROUND
        r = (d - whole * LN2_HIGH) - whole * LN2_LOW
        e = r * (1 / 479001600) + 1 / 39916800
        e = e * r + 1 / 3628800
        e = e * r + 1 / 362880
        e = e * r + 1 / 40320
        e = e * r + 1 / 5040
        e = e * r + 1 / 720
        e = e * r + 1 / 120
        e = e * r + 1 / 24
        e = e * r + 1 / 6
        e = e * r + 0.5
        e = e * r + 1.0
        e = e * r + 1.0
        bits = np.float64(e).view(np.int64) + (np.float64(shifted).view(np.int64) << 52)
        x[i] = np.int64(bits).view(np.float64) if x[i] > NEGLIGIBLE else 0.0


@njit(nogil=True, cache=True)
def spread(values, starts, members, width):
    """Return the joint table: each row the sum of its members on the value axis, padded."""
    R, k = len(starts) - 1, values.shape[1]
    table = np.full((R, width), -np.inf)
    for r in range(R):
        row = table[r]
        row[:k] = 0.0
        for j in range(starts[r], starts[r + 1]):
            value = values[members[j]]
            for i in range(k):
                row[i] += value[i]
    return table


@njit(nogil=True, cache=True)
def _gather(joint, starts, members, values):
    """Add the counts of the joint table to those of its members on the value axis."""
    k = values.shape[1]
    rows = joint.reshape(len(joint), -1)
    for r in range(len(rows)):
        row = rows[r]
        for j in range(starts[r], starts[r + 1]):
            value = values[members[j]]
            for i in range(k):
                value[i] += row[i]


@njit(nogil=True, cache=True)
def _joint(records, codes, numbers, tables, group, out):
    """Write log alpha_i + log Pr(x_a | C_i) of some records and the components of a group."""
    log_p, gaussians = tables
    C, k = codes.shape[1], log_p.shape[2]
    for t in range(len(records)):
        a = records[t]
        row, code = out[t], codes[a]
        w = log_p[code[0], group]
        for i in range(k):
            row[i] = w[i]
        m = 1
        while m + 3 < C:
            w, x = log_p[code[m], group], log_p[code[m + 1], group]
            y, z = log_p[code[m + 2], group], log_p[code[m + 3], group]
            for i in range(k):
                row[i] += (w[i] + x[i]) + (y[i] + z[i])
            m += 4
        while m < C:
            w = log_p[code[m], group]
            for i in range(k):
                row[i] += w[i]
            m += 1
        for q in range(numbers.shape[1]):
            u = numbers[a, q]
            if not np.isnan(u):
                mu, half_inverse_var = gaussians[0, q, group], gaussians[1, q, group]
                half_log_var = gaussians[2, q, group]
                for i in range(k):
                    d = u - mu[i]
                    row[i] -= d * d * half_inverse_var[i] + half_log_var[i]


@njit(nogil=True, cache=True)
def _add(records, codes, numbers, share, group, sums):
    """Add some records to the components of a group, by their shares of them."""
    counts, moments = sums
    k = counts.shape[2]
    for t in range(len(records)):
        a = records[t]
        row, code = share[t], codes[a]
        for m in range(len(code)):
            count = counts[code[m], group]
            for i in range(k):
                count[i] += row[i]
        for q in range(numbers.shape[1]):
            x = numbers[a, q]
            if not np.isnan(x):
                seen, total = moments[0, q, group], moments[1, q, group]
                square = moments[2, q, group]
                for i in range(k):
                    seen[i] += row[i]
                    total[i] += row[i] * x
                    square[i] += row[i] * x * x


@njit(nogil=True, cache=True)
def _share(records, rows, tables, share, log_density):
    """Share some records among the components; write log Pr(x_a) too."""
    n, k = len(records), tables[0].shape[2]
    _joint(records, rows[0], rows[1], tables, 0, share)
    for t in range(n):
        row = share[t]
        w, x, y, z = row[0], row[1], row[2], row[3]
        for i in range(4, k, 4):
            w, x = max(w, row[i]), max(x, row[i + 1])
            y, z = max(y, row[i + 2]), max(z, row[i + 3])
        top = max(max(w, x), max(y, z))
        for i in range(k):
            row[i] -= top
        log_density[t] = top
    _exp(share.reshape(-1), n * k)
    for t in range(n):
        row = share[t]
        w, x, y, z = row[0], row[1], row[2], row[3]
        for i in range(4, k, 4):
            w, x = w + row[i], x + row[i + 1]
            y, z = y + row[i + 2], z + row[i + 3]
        total = (w + x) + (y + z)
        log_density[t] += np.log(total)
        scale = 1.0 / total
        for i in range(k):
            row[i] *= scale


@njit(nogil=True, cache=True)
def expect(rows, tables, plan, values, moments):
    """One E-step over a block; write its counts and return its log-likelihood."""
    codes, numbers, weights = rows
    counts = np.zeros(tables[0].shape)
    share, log_density = np.empty((TILE, tables[0].shape[2])), np.empty(TILE)
    log_likelihood = 0.0
    for begin in range(0, len(weights), TILE):
        records = np.arange(begin, min(begin + TILE, len(weights)))
        _share(records, rows, tables, share, log_density)
        for t in range(len(records)):
            weight = weights[begin + t]
            log_likelihood += weight * log_density[t]
            if weight != 1.0:
                row = share[t]
                for i in range(len(row)):
                    row[i] *= weight
        _add(records, codes, numbers, share, 0, (counts, moments))
    _gather(counts, plan[0], plan[1], values)
    return log_likelihood


@njit(nogil=True, cache=True)
def log_joint(rows, tables):
    """Return the log joints of every record and component, padding and all."""
    codes, numbers, weights = rows
    out = np.empty((len(weights), tables[0].shape[2]))
    _joint(np.arange(len(weights)), codes, numbers, tables, 0, out)
    return out


@njit(nogil=True, cache=True)
def count_cuts(rows, tables, rules, attributes, sums, active):
    """Count the records that meet each rule, within the rule's component; sums are by rule."""
    _, numbers, weights = rows
    starts, attribute, value = rules
    codes, firsts = attributes
    weight, counts, moments = sums
    M = codes.shape[1]
    share, log_density = np.empty((TILE, tables[0].shape[2])), np.empty(TILE)
    for begin in range(0, len(weights), TILE):
        records = np.arange(begin, min(begin + TILE, len(weights)))
        _share(records, rows, tables, share, log_density)
        for a in records:
            for i in range(len(starts) - 1):
                part = share[a - begin, i]
                if part > active:
                    part *= weights[a]
                    for c in range(starts[i], starts[i + 1]):
                        m = attribute[c]
                        met = codes[a, m] == value[c] if m < M else numbers[a, m - M] > value[c]
                        if met:
                            weight[c] += part
                            for m in range(M):
                                counts[c, firsts[m] + codes[a, m]] += part
                            for q in range(numbers.shape[1]):
                                x = numbers[a, q]
                                if not np.isnan(x):
                                    moments[c, 0, q] += part
                                    moments[c, 1, q] += part * x
                                    moments[c, 2, q] += part * x * x


@njit(nogil=True, cache=True)
def _part(half, gap, n, weight, log_likelihoods):
    """Share n records, log joints in half, between the two of each pair, in place."""
    pairs = len(log_likelihoods)
    for t in range(n):
        for c in range(pairs):
            gap[t * pairs + c] = -abs(half[t, 2 * c] - half[t, 2 * c + 1])
    _exp(gap, n * pairs)
    for t in range(n):
        for c in range(pairs):
            left, right = half[t, 2 * c], half[t, 2 * c + 1]
            lesser = gap[t * pairs + c]
            log_density = max(left, right) + (np.log(1.0 + lesser) if lesser > 1e-17 else 0.0)
            log_likelihoods[c] += weight[t] * log_density
            most = weight[t] / (1.0 + lesser)
            half[t, 2 * c] = most if left >= right else most * lesser
            half[t, 2 * c + 1] = most * lesser if left >= right else most


@njit(nogil=True, cache=True)
def expect_halves(rows, tables, halves, plan, sums, active):
    """One E-step within every parent, between the two of each of its pairs."""
    _, numbers, weights = rows
    parents, codes, half_tables = halves
    values, moments, log_likelihoods = sums
    counts = np.zeros(half_tables[0].shape)
    share, log_density = np.empty((TILE, tables[0].shape[2])), np.empty(TILE)
    half = np.empty((TILE, half_tables[0].shape[2]))
    gap = np.empty(TILE * log_likelihoods.shape[1])
    chosen, weight = np.empty(TILE, np.intp), np.empty(TILE)
    for begin in range(0, len(weights), TILE):
        records = np.arange(begin, min(begin + TILE, len(weights)))
        _share(records, rows, tables, share, log_density)
        for group in range(len(parents)):
            n = 0
            for a in records:
                part = share[a - begin, parents[group]]
                if part > active:
                    chosen[n], weight[n] = a, weights[a] * part
                    n += 1
            _joint(chosen[:n], codes, numbers, half_tables, group, half)
            _part(half, gap, n, weight, log_likelihoods[group])
            _add(chosen[:n], codes, numbers, half, group, (counts, moments))
    _gather(counts, plan[0], plan[1], values)
