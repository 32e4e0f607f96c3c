"""Whether what was read can be a model: every number finite, every distribution one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.predictive import Share
from galileomix._fitted.results import Path, SearchRecord
from galileomix._model import covariance
from galileomix._model.criteria import CRITERION_NAMES
from galileomix._model.params import Floats, Layout, Mixture
from galileomix._model.stats import Background
from galileomix._table import LARGEST_NUMBER, Attribute, Binned, Categorical, Numeric, Schema
from galileomix._table.values import check_name, check_text, key
from galileomix.errors import ModelFileError, TableError

WIDEST = 2 * LARGEST_NUMBER
"""The greatest scale: the power of two above the greatest deviation."""
EXACT = 1e-8
"""How far from one the probabilities of a distribution may sum up."""


def schema(schema: Schema) -> None:
    """Refuse columns or values that no table can have."""
    if not schema.attributes:
        raise ModelFileError("its table has no columns")
    for names in (schema.names, schema.column_names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ModelFileError(f"its table has the column {twice[0]!r} more than once")
    for name in schema.column_names:
        _check(check_name, name)
    if tuple(column.name for column in schema.modelled) != schema.names:
        raise ModelFileError("the columns of its table are not those of its attributes")
    for attribute, column in zip(schema.attributes, schema.modelled, strict=True):
        problem = _problem(attribute)
        measured = isinstance(attribute, Numeric | Binned)
        if measured and column.format.type not in ("number", "date"):
            problem = "its text is not read as numbers"
        if problem:
            raise ModelFileError(f"column {attribute.name!r}: {problem}")


def texts(held: Any) -> None:
    """Refuse text that cannot be written, wherever it is: no table holds it, no answer shows it."""
    if isinstance(held, str):
        _check(check_text, held)
    elif isinstance(held, dict):
        texts(list(cast("dict[Any, Any]", held).values()))
    elif isinstance(held, list | tuple):
        for item in cast("list[Any]", held):
            texts(item)


def _check(rule: Callable[[str], Any], text: str) -> None:
    try:
        rule(text)
    except TableError as error:
        raise ModelFileError(str(error)) from None


def _problem(attribute: Attribute) -> str:
    if isinstance(attribute, Numeric):
        return _number_problem(attribute)
    every = (*attribute.values, *(value for value, _ in attribute.rare))
    if any(isinstance(value, float) and not abs(value) <= LARGEST_NUMBER for value in every):
        return "its values are not finite numbers that a table can hold"
    if len({key(value) for value in attribute.values}) < len(attribute.values):
        return "it has a value more than once"
    return _edge_problem(attribute) if isinstance(attribute, Binned) else _order_problem(attribute)


def _number_problem(attribute: Numeric) -> str:
    if not abs(attribute.center) <= LARGEST_NUMBER or not 0 < attribute.scale <= WIDEST:
        return "its centre and scale are not those of numbers in a table"
    if not 0.0 <= attribute.power <= 2.0 or not 0.0 < attribute.stretch <= WIDEST:
        return "its transformation has no inverse"
    spike = attribute.spike
    return "" if spike is None or abs(spike) <= LARGEST_NUMBER else "its spike is not a number"


def _order_problem(attribute: Categorical) -> str:
    return "a missing value is not the last" if None in attribute.values[:-1] else ""


def _edge_problem(attribute: Binned) -> str:
    edges, known = attribute.edges, [value for value in attribute.values if value is not None]
    if not all(map(math.isfinite, edges)) or any(low >= high for low, high in pairwise(edges)):
        return "its edges are no finite numbers that increase"
    fitting = len(known) == len(edges) + 1 or not known
    return _order_problem(attribute) if fitting else "its edges do not fit its intervals"


def path(path: Path) -> None:
    """Refuse sizes that are not there or not in order."""
    sizes = path.sizes
    ordered = all(low < high for low, high in pairwise(sizes))
    if not sizes or sizes[0] < 1 or not ordered or path.chosen not in sizes:
        raise ModelFileError("the sizes on its path are not in order")
    if path.criterion not in CRITERION_NAMES:
        raise ModelFileError(f"its criterion {path.criterion!r} is unknown")
    scores = (score for step in path for score in (step.log_likelihood, step.aic, step.bic))
    if any(map(math.isnan, scores)) or any(math.isnan(step.density) for step in path):
        raise ModelFileError("the scores on its path are no numbers")
    if any(step.n_iter < 0 for step in path):
        raise ModelFileError("a step of its path has a negative number of steps of EM")


def model(model: FittedModel) -> None:
    """Refuse what the parts do not show by themselves."""
    if model.k not in model.mixtures:
        raise ModelFileError(f"it has no mixture of its {model.k} components")
    if not 0 < model.N < math.inf:
        raise ModelFileError(f"its number of records is {model.N}")
    if not math.isfinite(model.units.log_likelihood) or not math.isfinite(model.units.log_cell):
        raise ModelFileError("its units are not finite")


def search(n_passes: Any, rest: Any) -> SearchRecord:
    """Return how a search went; files of earlier versions know its passes only."""
    if type(n_passes) is not int or n_passes < 0:
        raise ModelFileError(f"n_passes_ is {n_passes!r:.60}, not a number of passes")
    types = {field.name: field.type for field in fields(SearchRecord) if field.name != "n_passes"}
    if not isinstance(rest, dict) or set(cast("dict[Any, Any]", rest)) - set(types):
        raise ModelFileError(f"search_ is {rest!r:.60}, not how a search went")
    given = {**cast("dict[str, Any]", rest)}
    trace = _trace(given.pop("trace", []))
    for name, value in given.items():
        known, *or_none = types[name].split(" | ")
        is_sound = type(value).__name__ == known and (value is True or 0 <= value < math.inf)
        is_sound |= value is None and bool(or_none)
        if not is_sound:
            raise ModelFileError(f"search_ has {name} {value!r:.60}, not a {types[name]} from 0")
    if (given.get("chance_of_better") or 0.0) > 1.0:
        raise ModelFileError(f"search_ has chance_of_better {given['chance_of_better']}, above 1")
    return SearchRecord(n_passes, **given, trace=trace)


def _trace(found: Any) -> tuple[tuple[int, float], ...]:
    """Return when the best model became better, if it can be that."""
    pairs: list[Any] = cast("list[Any]", found) if isinstance(found, list) else [None]
    result: list[tuple[int, float]] = []
    for pair in pairs:
        passes, value = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
        if type(passes) is not int or type(value) is not float or not math.isfinite(value):
            raise ModelFileError(f"search_ has the trace {found!r:.60}, not passes and values")
        if passes < (result[-1][0] if result else 0):
            raise ModelFileError("search_ has a trace that is not in order")
        result.append((passes, value))
    return tuple(result)


def shares(found: Any) -> dict[int, Share]:
    """Return what each size is in the predictive; files of earlier versions have none."""
    result: dict[int, Share] = {}
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise ModelFileError(f"predictive is {found!r:.60}, not a list of sizes")
    for one in cast("list[Any]", found):
        k, weight, strength = (cast("dict[str, Any]", one)[n] for n in ("k", "weight", "strength"))
        numbers = all(type(x) is float and 0 < x < math.inf for x in (weight, strength))
        if type(k) is not int or k < 1 or not numbers or k in result:
            raise ModelFileError(f"predictive has {one!r:.80}, not what a size is in it")
        result[k] = Share(weight, strength)
    if result and abs(sum(share.weight for share in result.values()) - 1.0) > EXACT:
        raise ModelFileError("predictive: the weights do not sum up to one")
    return result


def never_known(found: Any, schema: Schema) -> tuple[str, ...]:
    """Return the numeric columns that are missing in every row, if they can be that."""
    numbers = [number.name for number in schema.numeric]
    if not isinstance(found, list | tuple) or not all(name in numbers for name in found):
        raise ModelFileError(f"never_known_ is {found!r:.60}, not a list of numeric columns")
    return tuple(cast("list[str]", found))


def extra(extra: Mapping[str, Any]) -> None:
    """Refuse arrays that are not finite."""
    for name, value in extra.items():
        if isinstance(value, np.ndarray) and not np.isfinite(value).all():
            raise ModelFileError(f"{name} is not finite")


def array(name: str, value: NDArray[Any], shape: Sequence[int]) -> Floats:
    """Return an array of the shape it must have, of finite numbers."""
    # An empty list has lost its shape, and needs none.
    if value.shape != tuple(shape) and not (value.size == 0 == math.prod(shape)):
        raise ModelFileError(f"{name} has the shape {value.shape}, not {tuple(shape)}")
    if value.size and value.dtype.kind not in "fi":
        raise ModelFileError(f"{name} is of type {value.dtype}, not of numbers")
    result = np.array(value, dtype=np.float64, order="C").reshape(shape)
    if not np.isfinite(result).all():
        raise ModelFileError(f"{name} is not finite")
    return result


def covariances(name: str, value: NDArray[Any], layout: Layout, k: int) -> Floats:
    """Return covariances in the form that a mixture has them.

    Those of independent numbers were once written with the zeros between them.
    """
    Q = layout.n_numeric
    if not layout.diagonal or value.ndim == 3:
        found = array(name, value, (Q, Q, k))
        if layout.diagonal and (found - covariance.whole(covariance.variances(found))).any():
            raise ModelFileError(f"{name}: a covariance is not of the form it must have")
        return covariance.variances(found) if layout.diagonal else found
    return array(name, value, (Q, k))


def mixture(mixture: Mixture) -> None:
    """Refuse weights and probabilities that sum up to anything but one, and flat Gaussians."""
    where = f"the mixture of {mixture.k} components"
    if (mixture.alpha < 0).any() or abs(mixture.alpha.sum() - 1.0) > EXACT:
        raise ModelFileError(f"{where}: the weights do not sum up to one")
    _check_distributions(where, mixture.p, mixture.layout, never=False)
    _check_sizes(where, mixture.mu, mixture.var)
    _check_covariances(where, mixture.Sigma, mixture.layout)


def constant(found: Any, layout: Layout) -> tuple[int, ...]:
    """Return the positions of constant numbers, if they can be that."""
    whole = isinstance(found, list) and all(type(q) is int for q in cast("list[Any]", found))
    if not whole or sorted(set(found)) != found or not set(found) <= set(range(layout.n_numeric)):
        raise ModelFileError(f"constant is {found!r:.60}, not positions of numbers")
    return tuple(found)


def background(background: Background, layout: Layout) -> None:
    """Refuse a global distribution that is none."""
    if not 0.0 <= background.least < math.inf:
        raise ModelFileError(f"least_strength is {background.least}")
    if (background.width <= 0).any():
        raise ModelFileError("the background: a width is not positive")
    _check_distributions("the background", background.G, layout, never=True)
    _check_sizes("the background", background.mu, background.var)
    _check_covariances("the background", background.Sigma, layout)


def _check_distributions(where: str, p: Floats, layout: Layout, never: bool) -> None:
    """Refuse what is no distribution; `never` allows an attribute that no record knows."""
    held = np.array(layout.cardinalities, dtype=np.intp) > 0
    total = np.zeros((layout.n_categorical, p.shape[1]))
    np.add.at(total, layout.attribute_of_value, p)
    one = (np.abs(total - 1.0) <= EXACT) | (never & (total == 0))
    if (p < 0).any() or not one[held].all():
        raise ModelFileError(f"{where}: the probabilities do not sum up to one")


def _check_sizes(where: str, mu: Floats, var: Floats) -> None:
    """Refuse means and variances whose squares or shares a float cannot hold."""
    small, large = LARGEST_NUMBER**-2, LARGEST_NUMBER**2
    if (np.abs(mu) > LARGEST_NUMBER).any() or ((var > 0) & (var < small) | (var > large)).any():
        raise ModelFileError(f"{where}: means or variances that numbers in a table cannot have")


def _check_covariances(where: str, Sigma: Floats, layout: Layout) -> None:
    if not layout.n_numeric:
        return
    if layout.diagonal:
        if not (Sigma > 0).all():
            raise ModelFileError(f"{where}: a covariance is not positive definite")
        return
    by_component = Sigma.transpose(2, 0, 1)
    scale = np.abs(Sigma).max()
    if np.abs(by_component - by_component.transpose(0, 2, 1)).max() > EXACT * scale:
        raise ModelFileError(f"{where}: a covariance is not of the form it must have")
    try:
        np.linalg.cholesky(by_component)
    except np.linalg.LinAlgError:
        raise ModelFileError(f"{where}: a covariance is not positive definite") from None
