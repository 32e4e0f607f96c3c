"""Tables of categories and numbers, with missing values, drawn from a known mixture."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils import Bunch

from galileomix._checks import check_integer, check_number
from galileomix.errors import ParameterError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

_DESCRIPTION = """\
Records drawn from a mixture of {n_components} known components
===============================================================
{n_rows} records: {n_categorical} categories of {n_values} values and {n_numeric} numbers. A
component has one distribution for every category, and one Gaussian of full covariance for all
numbers together. Each value is then removed with probability {missing}.

`target` is the component of each record. `bayes` is the most probable component given the mixture
(`weights`, `probabilities`, `means`, `covariances`) and the values that are not missing: no method
can be right more often.
"""
# The largest component is at most so many times as large as the smallest.
_MOST_UNEQUAL = 3.0
# Deviations along the principal axes of a Gaussian.
_NARROWEST, _WIDEST = 0.5, 2.0


def make_mixed(
    n_rows: int = 1000,
    *,
    n_components: int = 4,
    n_categorical: int = 5,
    n_numeric: int = 3,
    n_values: int = 4,
    separation: float = 3.0,
    missing: float = 0.2,
    random_state: int | np.random.Generator | None = None,
) -> Bunch:
    """Make a table of categories and numbers, with missing values, from a known mixture.

    Each record is given a component, the largest of which is at most three times as large as the
    smallest. Its categories are drawn one by one from the distributions of that component, its
    numbers together from that component's Gaussian, in which they are correlated.

    Parameters
    ----------
    n_rows : int, default=1000
        How many records.
    n_components : int, default=4
        How many components the mixture has.
    n_categorical : int, default=5
        How many categories, named ``c0``, ``c1``, ...
    n_numeric : int, default=3
        How many numbers, named ``x0``, ``x1``, ...
    n_values : int, default=4
        How many values each category has: the texts ``v0``, ``v1``, ...
    separation : float, default=3.0
        How far the components are apart. The means of numbers deviate by so much from one
        component to the next, where numbers within one deviate by 0.5 to 2 along its principal
        axes; the distributions of categories come from a Dirichlet distribution whose
        concentrations are one over it.
    missing : float, default=0.2
        The share of missing values, each None for a category and NaN for a number.
    random_state : int, Generator or None, default=None
        The seed. The mixture depends neither on `n_rows` nor on `missing`, and the other values do
        not depend on which are missing.

    Returns
    -------
    Bunch
        ``data``: a frame, the categories first. ``target``: the component of each record.
        ``frame``: both. ``bayes``: the most probable component given the mixture and the values
        that are not missing. The mixture: ``weights`` (component), ``probabilities``
        (component, category, value), ``means`` (component, number), ``covariances`` (component,
        number, number). ``feature_names``, ``target_names``, ``DESCR``.

    Raises
    ------
    ParameterError
        If a parameter is out of range.

    Examples
    --------
    >>> from galileomix.datasets import make_mixed
    >>> table = make_mixed(200, n_components=3, random_state=0)
    >>> table.data.shape, sorted(table.target.unique().tolist())
    ((200, 8), [0, 1, 2])
    >>> table.data.columns.tolist()
    ['c0', 'c1', 'c2', 'c3', 'c4', 'x0', 'x1', 'x2']
    >>> float((table.bayes == table.target).mean())
    0.99
    """
    may_be_0 = {"n_rows": n_rows, "n_categorical": n_categorical, "n_numeric": n_numeric}
    at_least_1 = {"n_components": n_components, "n_values": n_values}
    for least, counts in enumerate((may_be_0, at_least_1)):
        for name, count in counts.items():
            check_integer(name, count, least)
    check_integer("n_categorical + n_numeric", n_categorical + n_numeric, 1)
    check_number("missing", missing, 0, 1)
    if not 0 < separation < np.inf:
        raise ParameterError(f"separation must be positive and finite, not {separation!r}")

    rng = np.random.default_rng(random_state)
    truth = _draw_mixture(rng, (n_components, n_categorical, n_values), n_numeric, separation)
    component, codes, numbers = _draw_records(rng, n_rows, truth)
    removed = rng.random((n_rows, n_categorical + n_numeric)) < missing
    codes[removed[:, :n_categorical]] = -1
    numbers[removed[:, n_categorical:]] = np.nan

    data = _frame(codes, numbers, n_values)
    target = pd.Series(component, name="component")
    return Bunch(
        data=data,
        target=target,
        frame=data.assign(component=target),
        bayes=pd.Series(_most_probable(codes, numbers, truth), name="bayes"),
        **vars(truth),
        feature_names=data.columns.tolist(),
        target_names=[f"component {i}" for i in range(n_components)],
        DESCR=_DESCRIPTION.format(**may_be_0, **at_least_1, missing=missing),
    )


@dataclass(frozen=True, eq=False)
class _Truth:
    """The mixture that records are drawn from: k components, M categories, Q numbers."""

    weights: Floats  # (k,)
    probabilities: Floats  # (k, M, values)
    means: Floats  # (k, Q)
    covariances: Floats  # (k, Q, Q)


def _draw_mixture(
    rng: np.random.Generator, shape: tuple[int, int, int], n_numeric: int, separation: float
) -> _Truth:
    """Draw a mixture: `shape` says how many components, categories and values."""
    k, n_categorical, n_values = shape
    sizes = rng.uniform(1.0, _MOST_UNEQUAL, k)
    concentrations = np.full(n_values, 1.0 / separation)
    probabilities = rng.dirichlet(concentrations, (k, n_categorical))
    means = separation * rng.standard_normal((k, n_numeric))
    # The principal axes: the directions of a matrix of random numbers, in no order.
    axes = np.linalg.qr(rng.standard_normal((k, n_numeric, n_numeric))).Q
    spread = rng.uniform(np.log(_NARROWEST), np.log(_WIDEST), (k, 1, n_numeric))
    along = axes * np.exp(spread)
    covariances = along @ along.transpose(0, 2, 1)
    return _Truth(sizes / sizes.sum(), probabilities, means, covariances)


def _draw_records(
    rng: np.random.Generator, n_rows: int, truth: _Truth
) -> tuple[Ints, Ints, Floats]:
    """Draw the component, the codes of the categories and the numbers of each record."""
    k, n_categorical = truth.probabilities.shape[:2]
    component = rng.choice(k, size=n_rows, p=truth.weights)
    codes = np.empty((n_rows, n_categorical), dtype=np.intp)
    for m in range(n_categorical):
        # A record takes the first value whose cumulated probability is above a random number.
        below = np.cumsum(truth.probabilities[:, m], axis=1)[component, :-1]
        codes[:, m] = (rng.random((n_rows, 1)) >= below).sum(axis=1)
    roots = np.linalg.cholesky(truth.covariances)
    away = rng.standard_normal((n_rows, truth.means.shape[1]))
    numbers = truth.means[component]
    for i in range(k):
        own = component == i
        numbers[own] += away[own] @ roots[i].T
    return component, codes, numbers


def _frame(codes: Ints, numbers: Floats, n_values: int) -> pd.DataFrame:
    """Return the table; text is kept as objects, so that a missing value is None."""
    names = np.array([*(f"v{v}" for v in range(n_values)), None], dtype=object)
    columns = {f"c{m}": pd.Series(names[code], dtype=object) for m, code in enumerate(codes.T)}
    columns |= {f"x{q}": pd.Series(number) for q, number in enumerate(numbers.T)}
    return pd.DataFrame(columns)


def _most_probable(codes: Ints, numbers: Floats, truth: _Truth) -> Ints:
    """Return the most probable component of each record; missing values are integrated out."""
    with np.errstate(divide="ignore"):
        log_p = np.log(truth.probabilities)
    joint = np.tile(np.log(truth.weights), (len(codes), 1))
    for m, code in enumerate(codes.T):
        joint += np.where(code[:, None] >= 0, log_p[:, m, code].T, 0.0)
    patterns, which = np.unique(~np.isnan(numbers), axis=0, return_inverse=True)
    which = which.reshape(-1)
    for number, known in enumerate(patterns):
        rows = np.flatnonzero(which == number)
        joint[rows] += _log_gaussians(numbers[rows][:, known], known, truth)
    return joint.argmax(axis=1)


def _log_gaussians(numbers: Floats, known: npt.NDArray[np.bool_], truth: _Truth) -> Floats:
    """Return the log density of the known numbers under each component, up to a constant."""
    away = numbers[:, None, :] - truth.means[:, known]
    roots = np.linalg.cholesky(truth.covariances[:, known][:, :, known])
    scaled = np.linalg.solve(roots, away.transpose(1, 2, 0))
    half_log_det = np.log(np.einsum("iqq->iq", roots)).sum(axis=1)
    return -0.5 * (scaled**2).sum(axis=1).T - half_log_det
