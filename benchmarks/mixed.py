"""Generated mixed tables with a known truth.

`make_mixed`: categories of 4 values, correlated numbers, and every fifth cell empty, fitted by
`Galileo(missing="ignore", random_state=0)`. The Bayes-optimal assignment knows the mixture that the
table was drawn from; where even that is not within an adjusted Rand index of 0.95 of the truth,
nothing is asked. Elsewhere a draw succeeds if the number of components is right and the labels are
within 0.95 as well. The BIC is compared with that of the model to which EM leads from the true
mixture: if ours is greater, the search has missed it.
"""

from __future__ import annotations

import numpy as np
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import Bunch

from benchmarks.common import Plan, Record, each, measure
from benchmarks.render import grouped, mean, table, tally
from galileomix import Galileo
from galileomix._estimators import parameters
from galileomix._fitted.fit import records_of
from galileomix._fitted.path_steps import step_of, units_of
from galileomix._model.em import em
from galileomix._model.params import Mixture, layout_of
from galileomix._table import Folder, Schema
from galileomix.datasets import make_mixed

BAR = 0.95
SHAPE = ("n_rows", "n_components", "n_categorical", "n_numeric", "separation")
SHAPES = (
    (1_000, 4, 5, 3, 3.0),
    (1_000, 4, 5, 3, 4.0),
    (1_000, 3, 8, 2, 3.0),
    (10_000, 4, 5, 3, 4.0),
    (10_000, 8, 6, 4, 4.0),
)
SHAPE_HEADER = ["records", "components", "categories", "numbers", "separation"]


def run(plan: Plan) -> list[Record]:
    """Fit tables of several shapes, several draws each."""
    settings = [
        {"shape": dict(zip(SHAPE, shape, strict=True)), "draw": draw}
        for shape in (SHAPES[:2] if plan.quick else SHAPES)
        for draw in range(plan.count(20))
    ]
    return each(one, settings, plan.jobs)


def one(shape: Record, draw: int) -> Record:
    """Make one table and fit it."""
    made = make_mixed(**shape, missing=0.2, random_state=draw)
    model = Galileo(missing="ignore", random_state=0)
    cost = measure(model, made.data)
    by_size = {step.k: step.bic for step in model.path_}
    found = {
        "ari": round(float(adjusted_rand_score(made.target, model.labels_)), 6),
        "bayes_ari": round(float(adjusted_rand_score(made.target, made.bayes)), 6),
        "bic": round(by_size[model.n_components_], 6),
        "bic_from_truth": round(bic_from_truth(made), 6),
    }
    return shape | {"draw": draw} | cost | found


def bic_from_truth(made: Bunch) -> float:
    """Return the BIC of the model that EM reaches from the true mixture."""
    settings = Galileo(missing="ignore", random_state=0)
    with Folder() as folder:
        table = parameters.prepared(settings, made.data, None, folder)
        records = records_of(table.blocks, table.schema, parameters.fit_settings(settings))
        fit = em(records, true_mixture(made, table.schema))
    return step_of(fit, records.N, units_of(table.schema, records)).bic


def true_mixture(made: Bunch, schema: Schema) -> Mixture:
    """Return the mixture that the table was drawn from, as the model knows mixtures."""
    present = [
        made.probabilities[:, m, [int(str(value)[1:]) for value in each.values]]
        for m, each in enumerate(schema.categorical)
    ]
    p = np.concatenate([each / each.sum(axis=1, keepdims=True) for each in present], axis=1).T
    center = np.array([each.center for each in schema.numeric])
    scale = np.array([each.scale for each in schema.numeric])
    mu = ((made.means - center) / scale).T
    Sigma = (made.covariances / (scale * scale[:, None])).transpose(1, 2, 0)
    parts = (made.weights, p, mu, Sigma)
    return Mixture(layout_of(schema), *(np.ascontiguousarray(each) for each in parts))


def asked(record: Record) -> bool:
    """Return whether anybody could come near the truth."""
    return record["bayes_ari"] >= BAR


def succeeds(record: Record) -> bool:
    """Return whether the draw has the right number of components and the right labels."""
    return record["k"] == record["n_components"] and record["ari"] > BAR


def missed_by_search(record: Record) -> bool:
    """Return whether a better model is known than the one that was found."""
    return record["bic"] > record["bic_from_truth"] + 1e-3


def render(records: list[Record]) -> str:
    """Show the records as Markdown, and every draw that failed."""
    header = ["true k", "Bayes-optimal reaches 0.95", "of these found", "mean index, Bayes-optimal"]
    header += ["mean index, found", "BIC above that from the truth", "mean time, s"]
    rows = [[*shown(group[0]), *summary(group)] for _, group in grouped(records, *SHAPE)]
    parts = [table([*SHAPE_HEADER, *header], rows)]
    failed = [record for record in records if asked(record) and not succeeds(record)]
    if failed:
        header = ["draw", "k", "index, Bayes-optimal", "index, found"]
        header += ["BIC less that from the truth"]
        parts += ["The draws that failed:", table([*SHAPE_HEADER, *header], map(failure, failed))]
    return "\n\n".join(parts)


def shown(record: Record) -> list[str]:
    """Return the cells that say what a table is like."""
    n_rows, *rest = (record[name] for name in SHAPE)
    return [f"{n_rows:,}".replace(",", " "), *(f"{value:g}" for value in rest)]


def summary(group: list[Record]) -> list[str]:
    """Return the cells of the draws of one shape."""
    return [
        tally(group, lambda record: record["k"] == record["n_components"]),
        tally(group, asked),
        tally([record for record in group if asked(record)], succeeds),
        mean(group, "bayes_ari", ".3f"),
        mean(group, "ari", ".3f"),
        tally(group, missed_by_search),
        mean(group, "seconds"),
    ]


def failure(record: Record) -> list[str]:
    """Return the cells of one draw."""
    return [
        *shown(record),
        str(record["draw"]),
        str(record["k"]),
        f"{record['bayes_ari']:.4f}",
        f"{record['ari']:.4f}",
        f"{record['bic'] - record['bic_from_truth']:+.2f}",
    ]
