"""A million rows.

1 000 000 rows of 20 categories in 40 clusters, where a tenth of the cells is noise, fitted by
default with two threads. The clusters are compared with those that were drawn, and with what EM
makes of the true clusters, which no search can be expected to beat.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from benchmarks.common import Plan, Record, measure
from benchmarks.render import table
from benchmarks.search_tables import drawn
from galileomix import Galileo
from galileomix._estimators import parameters
from galileomix._fitted import rowwise
from galileomix._fitted.fit import records_of
from galileomix._model.em import em
from galileomix._model.params import Mixture
from galileomix._table import Folder

JOBS = 1
N_CLUSTERS, N_COLUMNS, N_VALUES, NOISE = 40, 20, 5, 0.1
THREADS = 2


def run(plan: Plan) -> list[Record]:
    """Fit tables of several lengths, after a small one, so that nothing is compiled meanwhile."""
    one(1_000)
    sizes = (10_000,) if plan.quick else (10_000, 100_000, 1_000_000)
    return [one(n_rows) for n_rows in sizes]


def one(n_rows: int) -> Record:
    """Fit one table, and begin EM with the truth."""
    data, clusters = drawn(N_CLUSTERS, n_rows, N_COLUMNS, N_VALUES, NOISE)
    model = Galileo(random_state=0, n_jobs=THREADS)
    cost = measure(model, data)
    ari = adjusted_rand_score(clusters, model.labels_)
    truth = adjusted_rand_score(clusters, from_truth(data, clusters))
    found = {"ari": round(float(ari), 6), "ari_from_truth": round(float(truth), 6)}
    return {"n_rows": n_rows} | cost | found


def from_truth(data: pd.DataFrame, clusters: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the labels of a mixture that EM was begun with the true clusters for."""
    unfitted = Galileo(random_state=0, n_jobs=THREADS)
    with Folder() as folder:
        prepared = parameters.prepared(unfitted, data, None, folder)
        records = records_of(prepared.blocks, prepared.schema, parameters.fit_settings(unfitted))
        shares = [_shares(data[name], clusters) for name in data]
        start = Mixture(records.layout, _weights(clusters), np.concatenate(shares))
        return rowwise.labels(prepared.every(), em(records, start).mixture)


def _shares(column: pd.Series, clusters: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return how common each value is in each cluster, (L, k)."""
    return pd.crosstab(column, clusters, normalize="columns").to_numpy()


def _weights(clusters: NDArray[np.intp]) -> NDArray[np.float64]:
    return np.bincount(clusters) / len(clusters)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    rows = [
        [
            f"{record['n_rows']:,}".replace(",", " "),
            record["k"],
            f"{record['ari']:.5f}",
            f"{record['ari_from_truth']:.5f}",
            record["passes"],
            f"{record['seconds']:.1f}",
        ]
        for record in records
    ]
    header = ["rows", "clusters found", "adjusted Rand index", "of EM from the truth"]
    return table([*header, "passes", "time, s"], rows)
