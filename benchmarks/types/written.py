"""The types that a person wrote down, read from types.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

PATH = Path(__file__).with_name("types.toml")
TYPES = ("category", "ordered", "number", "date", "identifier", "text")


@cache
def written_types(table: str) -> dict[str, tuple[str, ...]]:
    """Return the types of every column of a table: one, or two that are equally good.

    >>> written_types("titanic")["pclass"], written_types("movielens")["rating"]
    (('ordered',), ('ordered', 'number'))
    """
    found: dict[str, tuple[str, ...]] = {}
    for types, columns in _document()[table].items():
        for column in columns:
            if column in found:
                raise ValueError(f"{PATH.name} has {table}, {column} twice")
            found[column] = _checked(types)
    return found


def written_tables() -> list[str]:
    """Return the names of the tables with written types."""
    return list(_document())


def _checked(types: str) -> tuple[str, ...]:
    """Return the types that a key of the file names."""
    named = tuple(types.split(" or "))
    unknown = sorted(set(named) - set(TYPES))
    if unknown:
        raise ValueError(f"{PATH.name} names {', '.join(unknown)}; types are {', '.join(TYPES)}")
    return named


@cache
def _document() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(PATH.read_text(encoding="utf-8"))
