"""The oracle: every formula once more, in the plainest loops, importing nothing of ours.

``rows[a][m]`` is the value of attribute m in record a. ``p[i][m][v]`` is the probability of value
v of attribute m in component i; ``p[i][m]`` is a list (values are 0, 1, ...) or a dict. A value
None is missing, and left out.
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
        terms = []
        for i in range(len(alpha)):
            zeros, log_rest = log_joint(row, alpha[i], p[i])
            if zeros == 0:
                terms.append(log_rest)
        if not terms:
            return -math.inf
        probability = sum(math.exp(term - max(terms)) for term in terms)
        total += (1 if weights is None else weights[a]) * (max(terms) + math.log(probability))
    return total


def log_joint(row, alpha, distributions):
    """log alpha prod_m p_m(x_m) as (how many factors are zero, the log of the others).

    A product of small numbers can be too small for a float; its logarithm never is.
    """
    zeros = 0
    log_rest = 0.0
    for factor in [alpha] + [distributions[m][v] for m, v in known(row)]:
        if factor > 0:
            log_rest += math.log(factor)
        else:
            zeros += 1
    return zeros, log_rest


def responsibilities(row, alpha, p):
    """Pr(C_i | x) by Bayes; for a record impossible everywhere, the limit of a vanishing prior.

    That limit: only the components with the fewest impossible values compete, by the probability
    of the remaining values.
    """
    joints = []
    for i in range(len(alpha)):
        zeros, log_rest = log_joint(row, alpha[i], p[i])
        joints.append((zeros if alpha[i] > 0 else math.inf, log_rest))
    fewest = min(zeros for zeros, _ in joints)
    top = max(log_rest for zeros, log_rest in joints if zeros == fewest)
    shares = []
    for zeros, log_rest in joints:
        shares.append(math.exp(log_rest - top) if zeros == fewest else 0.0)
    total = sum(shares)
    return [share / total for share in shares]


def em_step(rows, weights, alpha, p, strength=0.0):
    """One E-step and one M-step: p_im(v) = (n_im(v) + s G_m(v)) / (N_im + s), alpha_i = N_i / N.

    N_im are the records of component i where attribute m is known; where there is none and s = 0,
    the attribute takes the global distribution. Returns the new alpha and the new p. A component
    left without records keeps its p when s = 0.
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
            for m, v in known(row):
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
            n_known = sum(counts[i][m].values())
            s = strength if n_known + strength > 0 else 1.0
            for v, count in counts[i][m].items():
                distribution[v] = (count + s * everywhere[m].get(v, 0.0)) / (n_known + s)
            if not isinstance(p[i][m], dict):
                distribution = list(distribution.values())
            component.append(distribution)
        new_p.append(component)
    return [n_i / total for n_i in n], new_p


def global_distribution(rows, weights):
    """G: for each attribute, the share of the weight that each of its known values has."""
    result = [{} for _ in rows[0]]
    for a, row in enumerate(rows):
        for m, v in known(row):
            result[m][v] = result[m].get(v, 0.0) + weights[a]
    for distribution in result:
        total = sum(distribution.values())
        for v in distribution:
            distribution[v] /= total
    return result


def known(row):
    """The attributes of a record that are known, with their values."""
    return [(m, v) for m, v in enumerate(row) if v is not None]


def em(rows, weights, alpha, p, tol, max_iter):
    """EM without a prior, to where the log-likelihood gains no more than tol of itself.

    Components with less than 1e-10 of all records are dropped. Returns alpha, p, log-likelihood.
    """
    before = -math.inf
    for n_iter in range(1, max_iter + 1):
        value = log_likelihood(rows, alpha, p, weights)
        # While a record is impossible there is nothing to compare, and EM goes on.
        if n_iter == max_iter or value - before <= tol * abs(value):
            break
        before = value
        alpha, p = em_step(rows, weights, alpha, p)
        held = [i for i in range(len(alpha)) if alpha[i] > 1e-10]
        alpha, p = kept(alpha, p, held)
    return alpha, p, value


def kept(alpha, p, components):
    """Some components of a mixture, their weights summing to one again."""
    total = sum(alpha[i] for i in components)
    return [alpha[i] / total for i in components], [p[i] for i in components]


def anneal(rows, weights, alpha, p, beta, tol, max_iter):
    """The paper's figure: EM, note it, remove the least dense, until one is left.

    Returns (k, log-likelihood) from large k to small.
    """
    path = []
    for size in reversed(schedule(len(alpha), beta)):
        if size < len(alpha):
            rho = [density(alpha[i] * sum(weights), p[i]) for i in range(len(alpha))]
            order = sorted(range(len(alpha)), key=lambda i: -rho[i])
            alpha, p = kept(alpha, p, sorted(order[:size]))
        alpha, p, value = em(rows, weights, alpha, p, tol, max_iter)
        path.append((len(alpha), value))
    return path


def start_component(rows, weights, center):
    """The distribution of all N records and a centre inserted a further N times."""
    return global_distribution([*rows, center], [*weights, sum(weights)])


def own_log_likelihood(rows, weights, total):
    """The log-likelihood of a component's own records: N_i log(N_i / N) + sum n log(n / N_im)."""
    n = sum(weights)
    result = n * math.log(n / total) if n > 0 else 0.0
    for m in range(len(rows[0])):
        counts = {}
        for a, row in enumerate(rows):
            if row[m] is not None:
                counts[row[m]] = counts.get(row[m], 0.0) + weights[a]
        for count in counts.values():
            if count > 0:
                result += count * math.log(count / sum(counts.values()))
    return result


def eliminate(matrix, vector):
    """Solve matrix x = vector by Gaussian elimination; return x and the determinant."""
    rows = [[*row, y] for row, y in zip(matrix, vector, strict=True)]
    n, determinant = len(rows), 1.0
    for j in range(n):
        pivot = max(range(j, n), key=lambda r: abs(rows[r][j]))
        if pivot != j:
            rows[j], rows[pivot] = rows[pivot], rows[j]
            determinant = -determinant
        determinant *= rows[j][j]
        for r in range(n):
            if r != j:
                factor = rows[r][j] / rows[j][j]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[j], strict=True)]
    return [rows[j][n] / rows[j][j] for j in range(n)], determinant


def gaussian(x, mean, covariance):
    """The normal density of what is known of x."""
    here = [q for q, _ in known(x)]
    away = [x[q] - mean[q] for q in here]
    part = [[covariance[q][r] for r in here] for q in here]
    solved, determinant = eliminate(part, away)
    square = sum(d * y for d, y in zip(away, solved, strict=True))
    return math.exp(-square / 2) / math.sqrt((2 * math.pi) ** len(here) * determinant)


def expected(x, mean, covariance):
    """E[y] and E[y y'] of whole records y of which x is known."""
    here = [q for q, _ in known(x)]
    gone = [q for q in range(len(x)) if q not in here]
    part = [[covariance[q][r] for r in here] for q in here]
    slopes = {g: eliminate(part, [covariance[q][g] for q in here])[0] for g in gone}
    y = list(x)
    for g in gone:
        pairs = zip(slopes[g], here, strict=True)
        y[g] = mean[g] + sum(slope * (x[q] - mean[q]) for slope, q in pairs)
    products = [[y[q] * y[r] for r in range(len(x))] for q in range(len(x))]
    for g in gone:
        for h in gone:
            pairs = zip(slopes[g], here, strict=True)
            explained = sum(slope * covariance[q][h] for slope, q in pairs)
            products[g][h] += covariance[g][h] - explained
    return y, products


def mixed_densities(row, numbers, alpha, p, means, covariances):
    """alpha_i prod_m p_im(x_m) N(y; mean_i, covariance_i), for each component."""
    result = []
    for i in range(len(alpha)):
        term = alpha[i]
        for m, v in known(row):
            term *= p[i][m][v]
        if numbers:
            term *= gaussian(numbers, means[i], covariances[i])
        result.append(term)
    return result


def mixed_log_likelihood(rows, numbers, weights, *mixture):
    """sum_a w_a log sum_i alpha_i prod_m p_im(x_am) N(y_a; mean_i, covariance_i)."""
    total = 0.0
    for row, some, weight in zip(rows, numbers, weights, strict=True):
        total += weight * math.log(sum(mixed_densities(row, some, *mixture)))
    return total


def mixed_moments(rows, numbers, weights, i, *mixture):
    """The sums of numbers and of their products in component i, missing ones as expected."""
    Q = len(numbers[0])
    total, products = [0.0] * Q, [[0.0] * Q for _ in range(Q)]
    for row, some, weight in zip(rows, numbers, weights, strict=True):
        densities = mixed_densities(row, some, *mixture)
        share = weight * densities[i] / sum(densities)
        y, product = expected(some, mixture[2][i], mixture[3][i])
        for q in range(Q):
            total[q] += share * y[q]
            for r in range(Q):
                products[q][r] += share * product[q][r]
    return total, products


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
