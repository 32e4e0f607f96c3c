"""A fitted model as a manifest, which is plain data, and arrays by name; and back, checked."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted.fitting import Units
from galileomix._fitted.results import Path, Step
from galileomix._fitted.state import State
from galileomix._model.params import Layout, Mixture
from galileomix._model.stats import Background
from galileomix._passes.records import layout_of
from galileomix._storage import check, plain
from galileomix._storage.container import FORMAT_VERSION, Arrays, check_version
from galileomix._table import Schema
from galileomix._version import __version__
from galileomix.errors import ModelFileError

T = TypeVar("T")

MIXTURE = ("alpha", "p", "mu", "Sigma")
BACKGROUND = ("G", "mu", "Sigma", "width")


def to_document(state: State) -> tuple[dict[str, Any], Arrays]:
    """Return the manifest and the arrays of a model."""
    arrays: Arrays = {f"background.{name}": getattr(state.background, name) for name in BACKGROUND}
    for k, mixture in state.mixtures.items():
        arrays |= {f"k.{k}.{name}": getattr(mixture, name) for name in MIXTURE}
    extra: dict[str, Any] = {}
    for name, value in state.extra.items():
        if isinstance(value, np.ndarray):
            arrays[f"extra.{name}"] = cast("NDArray[Any]", value)
        else:
            extra[name] = plain.encode(value)
    return _manifest(state, extra), arrays


def _manifest(state: State, extra: dict[str, Any]) -> dict[str, Any]:
    steps = [{**asdict(step), "converged": state.converged[step.k]} for step in state.path]
    some = next(iter(state.mixtures.values()))
    return {
        "format_version": FORMAT_VERSION,
        "galileomix_version": __version__,
        "estimator": state.estimator,
        "parameters": plain.encode(state.parameters),
        "n_records": state.N,
        "n_components": state.k,
        "named": state.named,
        "diagonal": some.layout.diagonal,
        "constant": list(some.layout.constant),
        "least_strength": state.background.least,
        "units": asdict(state.units),
        "path": {
            "criterion": state.path.criterion,
            "chosen": state.path.chosen,
            "steps": plain.encode(steps),
        },
        "extra": extra,
        "schema": plain.encode(state.schema.to_dict()),
    }


def from_document(manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> State:
    """Return the model, once everything about it has been found to be in order.

    Raises
    ------
    ModelFileError
        Where something is missing, of the wrong type or shape, or makes no sense.
    """
    check_version(manifest)
    with _in_words():
        schema = Schema.from_dict(plain.decode(_of(manifest, "schema", dict)))
        check.schema(schema)
        layout = layout_of(schema, _of(manifest, "diagonal", bool))
        layout = replace(layout, constant=check.constant(manifest["constant"], layout))
        path, converged = _path(_of(manifest, "path", dict))
        least = _of(manifest, "least_strength", float)
        background, mixtures, more = _models(layout, least, path.sizes, dict(arrays))
        extra = _by_name(manifest, "extra") | more
        state = State(
            _of(manifest, "estimator", str),
            _by_name(manifest, "parameters"),
            schema,
            _of(manifest, "named", bool),
            _of(manifest, "n_records", float),
            Units(
                **{each.name: _of(manifest["units"], each.name, float) for each in fields(Units)}
            ),
            background,
            mixtures,
            converged,
            path,
            _of(manifest, "n_components", int),
            extra,
        )
        check.state(state)
        return state


def _path(data: Mapping[str, Any]) -> tuple[Path, dict[int, bool]]:
    steps: list[Step] = []
    converged: dict[int, bool] = {}
    for each in plain.decode(_of(data, "steps", list)):
        whole = (_of(each, "k", int), _of(each, "n_iter", int))
        scores = (_of(each, name, float) for name in ("log_likelihood", "aic", "bic", "density"))
        steps.append(Step(*whole, *scores))
        converged[steps[-1].k] = _of(each, "converged", bool)
    path = Path(tuple(steps), _of(data, "criterion", str), _of(data, "chosen", int))
    check.path(path)
    return path, converged


def _models(
    layout: Layout, least: float, sizes: tuple[int, ...], arrays: Arrays
) -> tuple[Background, dict[int, Mixture], Arrays]:
    """Return the background, the mixture of every size, and the arrays that are neither."""
    V, Q = layout.n_values, layout.n_numeric
    shapes = ((V, 1), (Q, 1), (Q, Q, 1), (Q,))
    names = [f"background.{name}" for name in BACKGROUND]
    G, mu, Sigma, width = map(check.array, names, map(arrays.pop, names), shapes)
    background = Background(G, mu, Sigma, width, least)
    check.background(background, layout)
    mixtures: dict[int, Mixture] = {}
    for k in sizes:
        shapes = ((k,), (V, k), (Q, k), (Q, Q, k))
        names = [f"k.{k}.{name}" for name in MIXTURE]
        mixtures[k] = Mixture(layout, *map(check.array, names, map(arrays.pop, names), shapes))
        check.mixture(mixtures[k])
    more = {
        name.removeprefix("extra."): arrays[name] for name in arrays if name.startswith("extra.")
    }
    if len(more) < len(arrays):
        raise ModelFileError(f"it holds arrays that are unknown: {', '.join(sorted(arrays))[:100]}")
    return background, mixtures, more


def to_dict(state: State) -> dict[str, Any]:
    """Return a model as plain data, its arrays as lists, below one another by their names."""
    manifest, arrays = to_document(state)
    nested: dict[str, Any] = {}
    for name, array in arrays.items():
        *above, last = name.split(".")
        place = nested
        for each in above:
            place = place.setdefault(each, {})
        place[last] = array.tolist()
    return {"format": "galileomix", **manifest, "arrays": nested}


def from_dict(data: Mapping[str, Any]) -> State:
    """Return the model that `to_dict` wrote, whatever else there is beside it."""
    with _in_words():
        check_version(data)
        arrays: Arrays = {}
        for first, held in _of(data, "arrays", dict).items():
            for second, inner in held.items():
                deeper = cast("dict[str, Any]", inner) if isinstance(inner, dict) else {"": inner}
                for third, each in deeper.items():
                    name = ".".join(filter(None, (first, second, third)))
                    arrays[name] = np.array(each)
        return from_document(data, arrays)


def _of(data: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """Return one item, of the type it must have."""
    value: Any = data[name]
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ModelFileError(f"{name} is {value!r:.60}, not of type {kind.__name__}")
    return cast(T, value)


def _by_name(data: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return items by their names, which what stands for something else might not have."""
    found = plain.decode(_of(data, name, dict))
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found):
        raise ModelFileError(f"{name} is {found!r:.60}, not items by name")
    return cast("dict[str, Any]", found)


@contextmanager
def _in_words() -> Generator[None]:
    """Turn what trips over data of the wrong form into one kind of error."""
    try:
        yield
    except ModelFileError:
        raise
    except KeyError as error:
        raise ModelFileError(f"it holds no model: {error} is missing") from error
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelFileError(f"it holds no model: {error}") from error
