"""The oracle of clusterings: the baselines and their measures once more, in the plainest loops.

Like `naive`, it imports nothing of ours. ``rows[a][m]`` is the value of attribute m in record a,
None where it is missing.
"""

import math
from itertools import combinations


def purity(classes, labels, weights):
    """The share of the weight that is of the commonest class of its cluster."""
    total = 0.0
    for cluster in set(labels):
        shares = {}
        for name, label, weight in zip(classes, labels, weights, strict=True):
            if label == cluster:
                shares[name] = shares.get(name, 0.0) + weight
        total += max(shares.values())
    return total / sum(weights)


def known_only(rows, labels, weights, m):
    """One attribute of the records where it is known, with their labels and weights."""
    here = [a for a, row in enumerate(rows) if row[m] is not None]
    return [[rows[a][m]] for a in here], [labels[a] for a in here], [weights[a] for a in here]


def jaccard(a, b):
    """Of the values that either record has, the share that both have."""
    first = {(m, v) for m, v in enumerate(a) if v is not None}
    second = {(m, v) for m, v in enumerate(b) if v is not None}
    return len(first & second) / len(first | second) if first | second else 0.0


def matching(a, b):
    """Of the attributes known in both records, the share that agrees."""
    both = [m for m in range(len(a)) if a[m] is not None and b[m] is not None]
    return sum(a[m] == b[m] for m in both) / len(both) if both else 0.0


def links(rows, theta, similarity=jaccard):
    """How many neighbours two records have in common, {(a, b): number}, a < b."""
    n = len(rows)
    neighbors = []
    for a in range(n):
        others = [b for b in range(n) if b != a and similarity(rows[a], rows[b]) >= theta]
        neighbors.append(set(others))
    return {(a, b): len(neighbors[a] & neighbors[b]) for a, b in combinations(range(n), 2)}


def rock(rows, k, theta, similarity=jaccard):
    """Merge clusters of greatest goodness; return them, and the merges (first, second, goodness).

    Of equally good pairs the first, clusters standing in the order of their first records.
    """
    power = 1 + 2 * (1 - theta) / (1 + theta)
    common = links(rows, theta, similarity)
    clusters, merges = [[a] for a in range(len(rows))], []
    while len(clusters) > k:
        best, pair = 0.0, None
        for i, j in combinations(range(len(clusters)), 2):
            between = sum(common[min(a, b), max(a, b)] for a in clusters[i] for b in clusters[j])
            n, m = len(clusters[i]), len(clusters[j])
            goodness = between / ((n + m) ** power - (n**power + m**power))
            if goodness > best:
                best, pair = goodness, (i, j)
        if pair is None:
            break
        merges.append((min(clusters[pair[0]]), min(clusters[pair[1]]), best))
        clusters[pair[0]] = clusters[pair[0]] + clusters.pop(pair[1])
        clusters.sort(key=min)
    return clusters, merges


def total_entropy(rows, clusters):
    """sum_i n_i H_i, each attribute where it is known; clusters are lists of records."""
    result = 0.0
    for members in clusters:
        for m in range(len(rows[0])):
            values = [rows[a][m] for a in members if rows[a][m] is not None]
            for v in set(values):
                result -= values.count(v) * math.log(values.count(v) / len(values))
    return result


def unlike(a, b):
    """The entropy of the cluster that two records make."""
    return total_entropy([a, b], [[0, 1]])


def seeds(rows, k):
    """The pair of greatest entropy, then always the record whose least one is greatest."""
    n = len(rows)
    pairs = list(combinations(range(n), 2))
    chosen = list(max(pairs, key=lambda pair: round(unlike(rows[pair[0]], rows[pair[1]]), 9)))[:k]
    while len(chosen) < k:
        left = [a for a in range(n) if a not in chosen]
        nearest = [round(min(unlike(rows[a], rows[b]) for b in chosen), 9) for a in left]
        chosen.append(left[nearest.index(max(nearest))])
    return chosen


def coolcat(rows, k):
    """Place records in order where the entropy ends least, none of them placed again."""
    clusters = [[a] for a in seeds(rows, k)]
    begun = [members[0] for members in clusters]
    for a in range(len(rows)):
        if a in begun:
            continue
        values = []
        for i in range(k):
            grown = [[*members, a] if j == i else members for j, members in enumerate(clusters)]
            values.append(round(total_entropy(rows, grown), 9))
        clusters[values.index(min(values))].append(a)
    return clusters


def mismatches(rows, clusters):
    """In how many known cells records differ from the commonest values of their cluster."""
    total = 0
    for members in clusters:
        for m in range(len(rows[0])):
            values = [rows[a][m] for a in members if rows[a][m] is not None]
            total += len(values) - max((values.count(v) for v in set(values)), default=0)
    return total
