"""A fitted model as a manifest, which is plain data, and arrays by name; and back, checked."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted.fitted_model import FittedModel, Units
from galileomix._fitted.predictive import Predictive
from galileomix._fitted.results import Path, Step
from galileomix._model.params import Layout, Mixture, layout_of
from galileomix._model.stats import Background
from galileomix._storage import check, plain
from galileomix._storage.container import FORMAT_VERSION, Arrays, check_version
from galileomix._storage.saved_model import SavedModel
from galileomix._table import Schema
from galileomix._version import __version__
from galileomix.errors import ModelFileError

T = TypeVar("T")

MIXTURE = ("alpha", "p", "mu", "Sigma")
BACKGROUND = ("G", "mu", "Sigma", "width")


def to_document(saved: SavedModel) -> tuple[dict[str, Any], Arrays]:
    """Return the manifest and the arrays of a model."""
    model = saved.model
    arrays: Arrays = {f"background.{name}": getattr(model.background, name) for name in BACKGROUND}
    beyond = model.predictive.beyond if model.predictive else {}
    for k, mixture in {**model.mixtures, **beyond}.items():
        arrays |= {f"k.{k}.{name}": getattr(mixture, name) for name in MIXTURE}
    extra: dict[str, Any] = {}
    search = asdict(model.search)
    found = {
        "n_passes_": search.pop("n_passes"),
        "search_": {**search, "trace": [list(point) for point in model.search.trace]},
        "never_known_": list(model.never_known),
    }
    for name, value in {**found, **saved.extra}.items():
        if isinstance(value, np.ndarray):
            arrays[f"extra.{name}"] = cast("NDArray[Any]", value)
        else:
            extra[name] = plain.encode(value)
    return _manifest(saved, extra), arrays


def _manifest(saved: SavedModel, extra: dict[str, Any]) -> dict[str, Any]:
    model = saved.model
    steps = [{**asdict(step), "converged": model.converged[step.k]} for step in model.path]
    layout = model.mixture.layout
    return {
        "format_version": FORMAT_VERSION,
        "galileomix_version": __version__,
        "estimator": saved.estimator,
        "parameters": plain.encode(saved.parameters),
        "n_records": model.N,
        "n_components": model.k,
        "named": model.named,
        "diagonal": layout.diagonal,
        "constant": list(layout.constant),
        "least_strength": model.background.least,
        "units": asdict(model.units),
        "path": {
            "criterion": model.path.criterion,
            "chosen": model.path.chosen,
            "steps": plain.encode(steps),
        },
        "predictive": _shares(model.predictive),
        "extra": extra,
        "schema": plain.encode(model.schema.to_dict()),
    }


def _shares(predictive: Predictive | None) -> list[dict[str, Any]]:
    shares = predictive.shares if predictive else {}
    return [{"k": k, **asdict(share)} for k, share in shares.items()]


def from_document(manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> SavedModel:
    """Return the model, once everything about it has been found to be in order.

    Raises
    ------
    ModelFileError
        Where something is missing, of the wrong type or shape, or makes no sense.
    """
    check_version(manifest)
    with _as_model_file_errors():
        described = plain.decode(_of(manifest, "schema", dict))
        check.texts(described)
        schema = Schema.from_dict(described)
        check.schema(schema)
        layout = layout_of(schema, _of(manifest, "diagonal", bool))
        layout = replace(layout, constant=check.constant(manifest["constant"], layout))
        path, converged = _path(_of(manifest, "path", dict))
        least = _of(manifest, "least_strength", float)
        shares = check.shares(manifest.get("predictive", []))
        sizes = sorted({*path.sizes, *shares})
        background, every, more = _models(layout, least, sizes, dict(arrays))
        mixtures = {k: every.pop(k) for k in path.sizes}
        extra = _by_name(manifest, "extra") | more
        units = manifest["units"]
        model = FittedModel(
            schema,
            _of(manifest, "named", bool),
            _of(manifest, "n_records", float),
            Units(**{field.name: _of(units, field.name, float) for field in fields(Units)}),
            background,
            mixtures,
            converged,
            path,
            _of(manifest, "n_components", int),
            check.search(extra.pop("n_passes_", 0), extra.pop("search_", {})),
            check.never_known(extra.pop("never_known_", []), schema),
            Predictive(shares, every) if shares else None,
        )
        check.model(model)
        check.extra(extra)
        estimator = _of(manifest, "estimator", str)
        return SavedModel(estimator, _by_name(manifest, "parameters"), model, extra)


def _path(data: Mapping[str, Any]) -> tuple[Path, dict[int, bool]]:
    steps: list[Step] = []
    converged: dict[int, bool] = {}
    for step in plain.decode(_of(data, "steps", list)):
        whole = (_of(step, "k", int), _of(step, "n_iter", int))
        scores = (_of(step, name, float) for name in ("log_likelihood", "aic", "bic", "density"))
        steps.append(Step(*whole, *scores))
        converged[steps[-1].k] = _of(step, "converged", bool)
    path = Path(tuple(steps), _of(data, "criterion", str), _of(data, "chosen", int))
    check.path(path)
    return path, converged


def _models(
    layout: Layout, least: float, sizes: Sequence[int], arrays: Arrays
) -> tuple[Background, dict[int, Mixture], Arrays]:
    """Return the background, the mixture of every size, and the arrays that are neither."""
    V, Q = layout.n_values, layout.n_numeric
    name = "background"
    G = check.array(f"{name}.G", arrays.pop(f"{name}.G"), (V, 1))
    mu, Sigma = _gaussians(name, layout, 1, arrays)
    width = check.array(f"{name}.width", arrays.pop(f"{name}.width"), (Q,))
    background = Background(G, mu, Sigma, width, least)
    check.background(background, layout)
    mixtures: dict[int, Mixture] = {}
    for k in sizes:
        name = f"k.{k}"
        alpha = check.array(f"{name}.alpha", arrays.pop(f"{name}.alpha"), (k,))
        p = check.array(f"{name}.p", arrays.pop(f"{name}.p"), (V, k))
        mixtures[k] = Mixture(layout, alpha, p, *_gaussians(name, layout, k, arrays))
        check.mixture(mixtures[k])
    more = {
        name.removeprefix("extra."): arrays[name] for name in arrays if name.startswith("extra.")
    }
    if len(more) < len(arrays):
        raise ModelFileError(f"it holds arrays that are unknown: {', '.join(sorted(arrays))[:100]}")
    return background, mixtures, more


def _gaussians(
    name: str, layout: Layout, k: int, arrays: Arrays
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the means and covariances of k components."""
    mu = check.array(f"{name}.mu", arrays.pop(f"{name}.mu"), (layout.n_numeric, k))
    return mu, check.covariances(f"{name}.Sigma", arrays.pop(f"{name}.Sigma"), layout, k)


def to_dict(saved: SavedModel) -> dict[str, Any]:
    """Return a model as plain data, its arrays as lists, below one another by their names."""
    manifest, arrays = to_document(saved)
    nested: dict[str, Any] = {}
    for name, array in arrays.items():
        *above, last = name.split(".")
        place = nested
        for part in above:
            place = place.setdefault(part, {})
        place[last] = array.tolist()
    return {"format": "galileomix", **manifest, "arrays": nested}


def from_dict(data: Mapping[str, Any]) -> SavedModel:
    """Return the model that `to_dict` wrote, whatever else there is beside it."""
    with _as_model_file_errors():
        check_version(data)
        arrays: Arrays = {}
        for first, held in _of(data, "arrays", dict).items():
            for second, inner in held.items():
                deeper = cast("dict[str, Any]", inner) if isinstance(inner, dict) else {"": inner}
                for third, array in deeper.items():
                    name = ".".join(filter(None, (first, second, third)))
                    arrays[name] = np.array(array)
        return from_document(data, arrays)


def _of(data: Mapping[str, Any], name: str, wanted: type[T]) -> T:
    """Return one item, of the type it must have."""
    value: Any = data[name]
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise ModelFileError(f"{name} is {value!r:.60}, not of type {wanted.__name__}")
    return cast(T, value)


def _by_name(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return items by their names, which what stands for something else might not have."""
    found = plain.decode(_of(data, name, dict))
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise ModelFileError(f"{name} is {found!r:.60}, not items by name")
    return cast("dict[str, Any]", found)


@contextmanager
def _as_model_file_errors() -> Generator[None]:
    """Turn every error over data of the wrong form into a `ModelFileError`."""
    try:
        yield
    except ModelFileError:
        raise
    except KeyError as error:
        raise ModelFileError(f"it holds no model: {error} is missing") from error
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelFileError(f"it holds no model: {error}") from error
