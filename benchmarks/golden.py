"""Golden fits: the bits of many fits, to show that a change of structure changes no answer.

``python -m benchmarks.golden record`` before the change, ``... check`` after
it. Another processor or another version of numpy may round otherwise, so that the records hold on
one machine: make them there first. Only the public interface is used, and only numbers are hashed,
so that words may change.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

import galileomix
from galileomix import Galileo, GalileoClassifier, GalileoDetector
from galileomix.datasets import (
    load_mushroom,
    load_soybean,
    load_votes,
    load_zoo,
    make_mixed,
    make_rules,
)

RECORDS = Path(__file__).parent / "results" / "golden.json"
LOADERS = {
    "mushroom": load_mushroom,
    "votes": load_votes,
    "soybean": load_soybean,
    "zoo": load_zoo,
}
Case = Callable[[], Iterator[Any]]
CASES: dict[str, Case] = {}


def case(name: str, of: Callable[..., Iterator[Any]], *arguments: Any, **parameters: Any) -> None:
    """Add a case: a function that yields what is to be hashed."""
    CASES[name] = lambda: of(*arguments, **parameters)


def fitted(model: Galileo, table: Any) -> Iterator[Any]:
    """Yield all that is public of a fitted model, and what it says of the first rows."""
    yield from (model.n_components_, model.weights_, model.densities_, model.labels_)
    yield from (model.path_.to_frame(), model.n_passes_, model.n_iter_, model.converged_)
    if isinstance(table, pd.DataFrame):
        first = table.head(200)
        yield from (model.predict_proba(first), model.score_samples(first))
    yield model.profile().select_dtypes("number")


def search(table: Callable[[], Any], weights: bool = False, **parameters: Any) -> Iterator[Any]:
    """Fit a table."""
    X = table()
    given = 1.0 + np.arange(len(X)) % 3 * 0.5 if weights else None
    yield from fitted(Galileo(**{"random_state": 0} | parameters).fit(X, sample_weight=given), X)


def published(table: Callable[[], Any], **parameters: Any) -> Iterator[Any]:
    """Fit by the published method."""
    X = table()
    yield from fitted(Galileo.as_published(30, random_state=1, **parameters).fit(X), X)


def file(suffix: str, table: Callable[[], pd.DataFrame], **parameters: Any) -> Iterator[Any]:
    """Fit a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{suffix}"
        X = table()
        X.to_csv(path, index=False) if suffix == ".csv" else X.to_parquet(path, index=False)
        yield from fitted(Galileo(random_state=0, **parameters).fit(path), None)


def detector(table: Callable[[], Any], weights: bool = False, **parameters: Any) -> Iterator[Any]:
    """Fit a detector, and explain the first rows."""
    X = table()
    given = 1.0 + np.arange(len(X)) % 3 * 0.5 if weights else None
    model = Galileo(**{"random_state": 0, "criterion": "aic"} | parameters)
    found = GalileoDetector(model, contamination=0.05).fit(X, sample_weight=given)
    yield from (found.offset_, found.sizes_, found.medians_, found.spreads_)
    yield from (found.score_samples(X), found.predict(X))
    yield from explained(found.explain(X.head(60)))


def explained(found: Any) -> Iterator[Any]:
    """Yield the numbers of an explanation."""
    yield from (found.surprise, found.probability, found.deviation)
    yield from (found.log_density, found.p_value)
    yield found.expected.map(str)


def classifier(load: Callable[[], Any], drop: list[str]) -> Iterator[Any]:
    """Fit a classifier."""
    bunch = load()
    X = bunch.data.drop(columns=drop)
    model = GalileoClassifier(Galileo(random_state=0)).fit(X, bunch.target)
    yield from (model.temperature_, model.class_probabilities_, model.predict_proba(X))
    yield from fitted_inside(model.model_)


def fitted_inside(model: Galileo) -> Iterator[Any]:
    """Yield what is public of a model that has no labels."""
    yield from (model.n_components_, model.weights_, model.densities_)
    yield from (model.path_.to_frame(), model.n_passes_, model.n_iter_, model.converged_)


def stability(table: Callable[[], Any], n: int, **parameters: Any) -> Iterator[Any]:
    """Resample a table."""
    X = table()
    found = Galileo(random_state=0, **parameters).fit(X).stability(X, n_resamples=n)
    yield from (found.sizes.index.to_numpy(), found.sizes.to_numpy())
    for frame in (found.components, found.probabilities, found.means):
        # The types of a frame without rows are no answer.
        yield frame.select_dtypes("number").to_numpy() if len(frame) else np.zeros(frame.shape)


def answers(table: Callable[[], Any], target: str, given: dict[str, Any]) -> Iterator[Any]:
    """Ask a model everything, save it, load it, and ask again."""
    X = table()
    model = Galileo(random_state=0, criterion="aic").fit(X)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.galileo"
        model.save(path)
        for each in (model, galileomix.load(path)):
            yield from asked(each, X, target, given)


def asked(model: Any, X: pd.DataFrame, target: str, given: dict[str, Any]) -> Iterator[Any]:
    """Yield what a model answers."""
    holes = X.head(80).astype(object).mask(np.indices((80, X.shape[1])).sum(axis=0) % 7 == 0)
    holes = holes.astype({name: float for name in X.select_dtypes("number")})
    yield from explained(model.explain(holes))
    yield model.impute(holes).map(str)
    yield from (each.map(str) for each in model.impute(holes, n_draws=2))
    found = model.conditional(target, given)
    numbers = getattr(found, "means", None)
    yield found.to_numpy() if numbers is None else numbers
    yield from (each.map(str) if hasattr(each, "map") else each for each in model.sample(50))
    yield model.sample(20, given=given)[0].map(str)
    yield from (model.similarity(X.head(9)), model.dependence().select_dtypes("number"))
    yield model.surprise(holes, list(model.path_.sizes[:3]))
    yield model.at(2).predict_proba(X.head(50))


def mixed(missing: float = 0.0, n_rows: int = 600) -> pd.DataFrame:
    """Return a table of categories and numbers."""
    return make_mixed(n_rows, missing=missing, n_numeric=2, random_state=3).data


def iris() -> pd.DataFrame:
    """Return a table of numbers."""
    return load_iris(as_frame=True).data


def rules(n_rows: int) -> pd.DataFrame:
    """Return a table of the paper's generator."""
    return make_rules(n_rows, random_state=5).data


def add_cases() -> None:
    """List what is fitted."""
    for name, load in LOADERS.items():
        table = lambda load=load: load().data  # noqa: E731
        for criterion in ("bic", "aic", "density"):
            case(f"{name} {criterion}", search, table, criterion=criterion)
        case(f"{name} as published", published, table, criterion="density")
        case(f"{name} detector", detector, table, **small(name))
        if name != "mushroom":
            case(f"{name} weighted", search, table, weights=True)
            case(f"{name} classifier", classifier, load, ["type"] if name == "zoo" else [])
    votes, zoo = (lambda name=name: LOADERS[name]().data for name in ("votes", "zoo"))
    case("votes missing ignored", search, votes, missing="ignore", missing_values=["?"])
    case("votes published from records", published, votes, centers="records", criterion="bic")
    case("votes cartesian", published, votes, pruning="cartesian", criterion="density")
    case("zoo annealed", search, zoo, refine=False, step_root=1.2)
    case("zoo at most 3", search, zoo, max_components=3)
    case("iris", search, iris)
    case("iris diagonal", search, iris, covariance="diagonal", criterion="aic")
    case("iris without prior", search, iris, prior_strength=0.0, max_components=3)
    case("iris cut", search, iris, discretize="quantile", criterion="aic")
    case("iris detector", detector, iris, weights=True)
    case("mixed", search, mixed)
    case("mixed diagonal", search, mixed, covariance="diagonal")
    case("mixed density", search, mixed, criterion="density", max_components=8)
    case("mixed weighted", search, mixed, weights=True)
    case("mixed holes", search, lambda: mixed(0.2))
    case("mixed holes ignored", search, lambda: mixed(0.2), missing="ignore", weights=True)
    case("mixed holes detector", detector, lambda: mixed(0.2, 300))
    case("mixed on disk", search, lambda: mixed(0.1, 20_000), memory_limit=100_000, n_jobs=2)
    case("rules", search, lambda: rules(2_000))
    case("rules drafts", search, lambda: rules(60_000), n_jobs=2)
    case("rules on disk", search, lambda: rules(60_000), memory_limit=1_000_000)
    case("zoo csv", file, ".csv", zoo)
    case("mixed csv", file, ".csv", lambda: mixed(0.1))
    case("mixed parquet", file, ".parquet", lambda: mixed(0.1), missing="ignore")
    case("mixed classifier", classifier, lambda: make_mixed(400, random_state=4), [])
    case("zoo stability", stability, zoo, 4)
    case("votes stability", stability, votes, 3, max_components=4)
    case("mixed stability", stability, lambda: mixed(0.1, 300), 3, max_components=5)
    case("votes answers", answers, votes, "crime", {"immigration": "y"})
    case("mixed answers", answers, lambda: mixed(0.1, 300), "x0", {"c0": "v1", "x1": 0.5})
    case("mixed category answers", answers, lambda: mixed(0.1, 300), "c1", {"x1": 0.5})


def small(name: str) -> dict[str, Any]:
    """Return what keeps the larger tables quick."""
    return {"criterion": "bic"} if name in ("mushroom", "soybean") else {}


def digest(values: Iterator[Any]) -> str:
    """Return the hash of all values, to the bit."""
    whole = hashlib.sha256()
    for value in values:
        array = np.asarray(value)
        if array.dtype.kind in "OUT":
            whole.update(json.dumps(array.astype(str).tolist()).encode())
        else:
            whole.update(str((array.dtype.kind, array.shape)).encode())
            whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()[:16]


def main(mode: str, *names: str) -> int:
    """Record the hashes, or compare them with those recorded."""
    warnings.simplefilter("ignore")
    add_cases()
    known = json.loads(RECORDS.read_text()) if mode == "check" else {}
    found: dict[str, str] = {}
    for name in names or CASES:
        found[name] = digest(CASES[name]())
        same = mode == "record" or known.get(name) == found[name]
        print(f"{name}: {'' if same else 'DIFFERENT '}{found[name]}", flush=True)
    if mode == "record":
        RECORDS.write_text(json.dumps(found, indent=1) + "\n")
        return 0
    different = [name for name in found if known.get(name) != found[name]]
    print(f"{len(found) - len(different)} of {len(found)} the same")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
