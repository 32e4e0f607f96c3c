"""The model files that are named on the command line, and the values that a query gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from galileomix.errors import ModelFileError

if TYPE_CHECKING:
    from galileomix._estimators.galileo import Galileo
    from galileomix._estimators.loading import Model


def load_model(path: str) -> Model:
    """Read a model file of any estimator."""
    from galileomix._estimators.loading import load

    return load(path)


def mixture_of(model: Any) -> Galileo:
    """Return the mixture of any estimator: a detector or a classifier has one as `model_`."""
    return getattr(model, "model_", model)


def check_model_path(path: str) -> None:
    """Refuse a path that no model can be written to, before any work is done."""
    if path == "-":
        raise ModelFileError("a model is not written to stdout: name a file")
    if not Path(path).resolve().parent.is_dir():
        raise ModelFileError("no such folder", file=path)
    if Path(path).is_dir():
        raise ModelFileError("this is a directory, not a file to write", file=path)


def given_values(pairs: Sequence[str], schema: Any) -> dict[str, Any]:
    """Return the values in COLUMN=VALUE, as the schema has them; None for a missing value."""
    from galileomix._fitted.query import check_name
    from galileomix._table import Categorical

    found: dict[str, Any] = {}
    for pair in pairs:
        name, mark, text = pair.partition("=")
        if not mark:
            raise click.BadParameter(f"{pair!r}: write it as COLUMN=VALUE")
        # A name may contain the mark.
        name = max((n for n in schema.names if pair.startswith(f"{n}=")), key=len, default=name)
        text = pair[len(name) + 1 :]
        check_name(name, schema.names)
        if name in found:
            raise click.BadParameter(f"{name!r} is given twice")
        attribute = schema.attributes[schema.names.index(name)]
        category = isinstance(attribute, Categorical)
        found[name] = _category(attribute, text) if category else _number(name, text)
    return found


def _category(attribute: Any, text: str) -> Any:
    from galileomix._table import Lookup

    if not text:
        return None
    code = int(Lookup(attribute).text_codes([text])[0])
    return attribute.values[code] if code < len(attribute.values) else text


def _number(name: str, text: str) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        raise click.BadParameter(f"{name}={text}: {text!r} is not a number") from None
