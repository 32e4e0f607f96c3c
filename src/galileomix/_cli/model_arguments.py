"""The model files that are named on the command line, and the values that a query gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from galileomix._cli.output_paths import check_writable
from galileomix.errors import ModelFileError, ParameterError

if TYPE_CHECKING:
    from galileomix._estimators.galileo import Galileo
    from galileomix._estimators.loading import Model
    from galileomix._table import MissingValues


HINT = "'--given'"
"""How click names an option in a message."""


def load_model(path: str) -> Model:
    """Read a model file of any estimator."""
    from galileomix._estimators.loading import load

    return load(path)


def mixture_of(model: Any) -> Galileo:
    """Return the mixture of any estimator: a detector or a classifier has one as `model_`."""
    return getattr(model, "model_", model)


def missing_of(model: Model) -> MissingValues:
    """Return what meant missing in the table that was fitted."""
    from galileomix._estimators.parameters import missing_of

    return missing_of(mixture_of(model))


def check_model_path(path: str) -> None:
    """Refuse a path that no model can be written to, before any work is done."""
    if path == "-":
        raise ParameterError("a model is not written to stdout: name a file")
    check_writable(path)


def save_model(model: Model, path: str) -> None:
    """Save a model, and say so."""
    try:
        model.save(path)
    except ModelFileError as error:  # here an output that cannot be written, as any other
        raise OSError(str(error)) from error
    click.echo(f"model saved to {path}", err=True)


def given_values(pairs: Sequence[str], schema: Any) -> dict[str, Any]:
    """Return the values in COLUMN=VALUE, as the schema has them; None for a missing value."""
    from galileomix._fitted.query import check_name
    from galileomix._table import Categorical

    found: dict[str, Any] = {}
    for pair in pairs:
        name, mark, text = pair.partition("=")
        if not mark:
            raise click.BadParameter(f"{pair!r}: write it as COLUMN=VALUE", param_hint=HINT)
        # A name may contain the mark.
        name = max((n for n in schema.names if pair.startswith(f"{n}=")), key=len, default=name)
        text = pair[len(name) + 1 :]
        check_name(name, schema.names)
        if name in found:
            raise click.BadParameter(f"{name!r} is given twice", param_hint=HINT)
        attribute = schema.attributes[schema.names.index(name)]
        category = isinstance(attribute, Categorical)
        found[name] = _category(attribute, text) if category else _number(attribute, text)
    return found


def _category(attribute: Any, text: str) -> Any:
    from galileomix._table import Lookup

    if not text:
        return None
    code = int(Lookup(attribute).text_codes([text])[0])
    return attribute.values[code] if code < len(attribute.values) else text


def _number(attribute: Any, text: str) -> Any:
    """Return a number; a date, or a number with its unit, as the text that the model reads."""
    try:
        return text if text and attribute.is_moment else float(text or "nan")
    except ValueError:
        return text
