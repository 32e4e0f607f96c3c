"""Time against the components that annealing begins with.

`Galileo.as_published(k_max, step_root=1.5)` on one generated table (20 000 rows, 10 attributes of
20 values, 20 rules, a tenth of the values noise), one thread, the median of several seeds. With a
step root above 1 the paper counts O(N k log k): so many components, at so many sizes, each a number
of EM steps that does not depend on k. How many steps EM takes until it converges does depend on k
and on the data, so that the steps are fixed here, 20 at every size.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from statistics import median

from sklearn.exceptions import ConvergenceWarning

from benchmarks.common import Plan, Record
from benchmarks.render import grouped, table
from benchmarks.speed.bars import Bar
from benchmarks.speed.slope import Power, fit_power
from galileomix import Galileo
from galileomix.datasets import make_rules

SIZES = (8, 16, 32, 64, 128)
QUICK_SIZES = (8, 16, 32)
STEPS = 20
SLACK = 0.15
"""How much steeper than k log k the time may be and still be called consistent with it."""


def run(plan: Plan) -> list[Record]:
    """Anneal from ever more components."""
    n_rows = 3_000 if plan.quick else 20_000
    data = make_rules(n_rows, n_rules=20, noise=0.1, random_state=0).data
    Galileo.as_published(4, random_state=0).fit(data[:1000])
    warnings.simplefilter("ignore", ConvergenceWarning)
    records: list[Record] = []
    for k_max in QUICK_SIZES if plan.quick else SIZES:
        for seed in range(plan.count(3)):
            model = annealer(k_max, seed)
            begun = time.perf_counter()
            model.fit(data)
            seconds = round(time.perf_counter() - begun, 4)
            sizes = len(model.path_.to_frame())
            cost = {"seconds": seconds, "passes": model.n_passes_, "sizes": sizes}
            records.append({"n_rows": n_rows, "k_max": k_max, "seed": seed} | cost)
        print(f"components: {k_max}, {records[-1]['seconds']:.1f} s", file=sys.stderr, flush=True)
    return records


def annealer(k_max: int, seed: int) -> Galileo:
    """Return the published method with a fixed number of EM steps at every size."""
    return Galileo.as_published(
        k_max, step_root=1.5, max_iter=STEPS, tol=0.0, n_jobs=1, random_state=seed
    )


def k_log_k(k: int) -> float:
    """Return what the paper says the time goes with."""
    return k * math.log(k)


def medians(records: list[Record], key: str) -> dict[int, float]:
    """Return the median over seeds for each k_max."""
    groups = grouped(records, "k_max")
    return {k_max: median(each[key] for each in group) for (k_max,), group in groups}


def powers(records: list[Record]) -> tuple[Power, Power]:
    """Return the powers of k log k that the time and the time per pass follow."""
    seconds, passes = medians(records, "seconds"), medians(records, "passes")
    x = [k_log_k(k_max) for k_max in seconds]
    each = [seconds[k_max] / passes[k_max] for k_max in seconds]
    return fit_power(x, list(seconds.values())), fit_power(x, each)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    seconds, passes = medians(records, "seconds"), medians(records, "passes")
    sizes = medians(records, "sizes")
    rows = [
        [
            k_max,
            f"{sizes[k_max]:.0f}",
            f"{passes[k_max]:.0f}",
            f"{taken:.2f}",
            f"{taken / k_log_k(k_max) * 1000:.2f}",
            f"{taken / passes[k_max] * 1000:.2f}",
        ]
        for k_max, taken in seconds.items()
    ]
    header = ["k_max", "sizes visited", "EM passes", "time, s", "time / (k log k), ms", "pass, ms"]
    whole, each = powers(records)
    said = f"Exponent of k log k: {whole} for the whole time, {each} for the time per pass."
    return f"{table(header, rows)}\n\n{said}"


def bars(records: list[Record]) -> list[Bar]:
    """Return what was asked for."""
    whole, _ = powers(records)
    met = whole.exponent <= 1 + SLACK
    asked = f"about 1 or less (<= {1 + SLACK})"
    return [Bar("exponent of annealing time against k log k", asked, str(whole), met)]
