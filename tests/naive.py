"""The oracle: every formula once more, in the plainest loops, importing nothing of ours.

``rows[a][m]`` is the value of attribute m in record a. ``p[i][m][v]`` is the probability of value
v of attribute m in component i; ``p[i][m]`` is a list (values are 0, 1, ...) or a dict.
"""

import math


def entropy(distribution):
    """-sum_v p(v) log p(v), natural log, 0 log 0 = 0."""
    total = 0.0
    for _, probability in _items(distribution):
        if probability > 0:
            total -= probability * math.log(probability)
    return total


def density(n, distributions):
    """n exp(-sum_m S_m) of a component with n records and one distribution per attribute."""
    exponent = 0.0
    for distribution in distributions:
        exponent += entropy(distribution)
    return n * math.exp(-exponent)


def log_likelihood(rows, alpha, p, weights=None):
    """sum_a w_a log sum_i alpha_i prod_m p_im(x_am); -inf if some record is impossible."""
    total = 0.0
    for a, row in enumerate(rows):
        probability = 0.0
        for i in range(len(alpha)):
            term = alpha[i]
            for m, v in enumerate(row):
                term *= p[i][m][v]
            probability += term
        if probability == 0:
            return -math.inf
        total += (1 if weights is None else weights[a]) * math.log(probability)
    return total


def responsibilities(row, alpha, p):
    """Pr(C_i | x) by Bayes; for a record impossible everywhere, the limit of a vanishing prior.

    That limit: only the components with the fewest impossible values compete, by the probability
    of the remaining values.
    """
    impossible = []
    rest = []
    for i in range(len(alpha)):
        zeros = 0
        term = alpha[i]
        for m, v in enumerate(row):
            if p[i][m][v] > 0:
                term *= p[i][m][v]
            else:
                zeros += 1
        impossible.append(zeros if alpha[i] > 0 else math.inf)
        rest.append(term)
    fewest = min(impossible)
    total = 0.0
    for i in range(len(alpha)):
        if impossible[i] == fewest:
            total += rest[i]
    shares = []
    for i in range(len(alpha)):
        shares.append(rest[i] / total if impossible[i] == fewest else 0.0)
    return shares


def em_step(rows, weights, alpha, p, strength=0.0):
    """One E-step and one M-step: p_im(v) = (n_im(v) + s G_m(v)) / (N_i + s), alpha_i = N_i / N.

    Returns the new alpha and the new p. A component left without records keeps its p when s = 0.
    """
    k = len(alpha)
    n = [0.0] * k
    counts = []
    for i in range(k):
        counts.append([{v: 0.0 for v, _ in _items(distribution)} for distribution in p[i]])
    for a, row in enumerate(rows):
        shares = responsibilities(row, alpha, p)
        for i in range(k):
            n[i] += weights[a] * shares[i]
            for m, v in enumerate(row):
                counts[i][m][v] += weights[a] * shares[i]

    total = sum(weights)
    everywhere = global_distribution(rows, weights)
    new_p = []
    for i in range(k):
        if n[i] + strength == 0:
            new_p.append(p[i])
            continue
        component = []
        for m in range(len(p[i])):
            distribution = {}
            for v, count in counts[i][m].items():
                prior = strength * everywhere[m].get(v, 0.0)
                distribution[v] = (count + prior) / (n[i] + strength)
            if not isinstance(p[i][m], dict):
                distribution = list(distribution.values())
            component.append(distribution)
        new_p.append(component)
    return [n_i / total for n_i in n], new_p


def global_distribution(rows, weights):
    """G: for each attribute, the share of the weight that each of its values has."""
    total = sum(weights)
    result = [{} for _ in rows[0]]
    for a, row in enumerate(rows):
        for m, v in enumerate(row):
            result[m][v] = result[m].get(v, 0.0) + weights[a] / total
    return result


def aic(log_likelihood, nu):
    """2 nu - 2 log L."""
    return 2 * nu - 2 * log_likelihood


def bic(log_likelihood, nu, n):
    """log(N) nu - 2 log L."""
    return math.log(n) * nu - 2 * log_likelihood


def degrees_of_freedom(k, n_values):
    """(k - 1) + k sum_m (L_m - 1)."""
    nu = k - 1
    for length in n_values:
        nu += k * (length - 1)
    return nu


def schedule(k_max, beta):
    """k[0] = 1, k[i+1] = floor(k[i] + beta^i), as far as k_max; from small to large."""
    sizes = [1]
    while True:
        following = math.floor(sizes[-1] + beta ** (len(sizes) - 1))
        if following > k_max:
            return sizes
        sizes.append(following)


def category_utility(rows, labels, weights=None):
    """(1/k) sum_i (n_i/N) sum_m sum_v [P(v|i)^2 - P(v)^2]."""
    if weights is None:
        weights = [1] * len(rows)
    total = sum(weights)
    everywhere = global_distribution(rows, weights)
    result = 0.0
    clusters = sorted(set(labels))
    for i in clusters:
        members = [a for a in range(len(rows)) if labels[a] == i]
        part = [weights[a] for a in members]
        inside = global_distribution([rows[a] for a in members], part)
        for m in range(len(rows[0])):
            for v in everywhere[m]:
                difference = inside[m].get(v, 0.0) ** 2 - everywhere[m][v] ** 2
                result += sum(part) / total * difference
    return result / len(clusters)


def expected_entropy(rows, labels, weights=None):
    """sum_i (n_i/N) sum_m S_im."""
    if weights is None:
        weights = [1] * len(rows)
    result = 0.0
    for i in set(labels):
        members = [a for a in range(len(rows)) if labels[a] == i]
        part = [weights[a] for a in members]
        for distribution in global_distribution([rows[a] for a in members], part):
            result += sum(part) / sum(weights) * entropy(distribution)
    return result


def _items(distribution):
    """The (value, probability) pairs of a dict or of a list."""
    return distribution.items() if isinstance(distribution, dict) else enumerate(distribution)
