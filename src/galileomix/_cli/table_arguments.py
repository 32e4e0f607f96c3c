"""The tables that are named on the command line."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from galileomix.errors import ParameterError, TableError

if TYPE_CHECKING:
    from galileomix._table import MissingValues

SHOWN_ABSENT, SHOWN_NAMES = 5, 20
"""The most columns to name in a message: of those that are absent, and of those that are there."""


@dataclass(frozen=True)
class TableFiles:
    """The files of one table, and the options for reading them."""

    tables: tuple[str, ...]
    separator: str | None
    encoding: str | None
    no_header: bool

    @contextmanager
    def opened(self, missing: MissingValues) -> Generator[Any]:
        """Open the table; a copy of stdin is removed afterwards."""
        from galileomix._table import Csv, Folder, open_table

        if len(self.tables) == 1 and (elsewhere := _elsewhere(self.tables[0])) is not None:
            yield open_table(elsewhere, missing=missing)
            return
        given = self.separator is not None or self.encoding is not None or self.no_header
        separator = "\t" if self.separator in ("\\t", "tab") else self.separator
        with Folder() as folder:
            files = [_copied(folder) if path == "-" else _path(path) for path in self.tables]
            options = Csv(files, separator, self.encoding, not self.no_header)
            yield open_table(options if given else files, missing=missing)


def _path(text: str) -> Path:
    """Return the path that is typed, or that a URL of this machine stands for."""
    from galileomix._table import is_url, located

    found = located(text) if is_url(text) else Path(text)
    if not isinstance(found, Path):
        raise ParameterError(f"{text!r}: of files elsewhere, give one URL, or a pattern")
    return found


def _elsewhere(text: str) -> Any:
    """Return the files elsewhere that a URL stands for; None where it is no such URL."""
    from galileomix._table import is_url, located

    found = located(text) if is_url(text) else None
    return None if isinstance(found, Path) else found


def _copied(folder: Any) -> Path:
    """Copy stdin to a file, because a table is read more than once."""
    from galileomix._table import suffix_by_contents

    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise OSError("standard input is closed")
    path = folder.path / "stdin"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path.rename(path.with_suffix(suffix_by_contents(path)))


def table_name(source: Any) -> str:
    """Return a short name of an opened table: its first file, and how many more there are."""
    if not hasattr(source, "files"):
        return "the table"
    first, *others = (file.path.name for file in source.files)
    return f"{first} and {len(others)} more" if others else first


def without(source: Any, names: Sequence[str], purpose: str = "to drop") -> Any:
    """Return an opened table without some of its columns, which it must have."""
    if absent := _absent(source, names, purpose):
        raise ParameterError(absent)  # what was typed is wrong, not the table
    return source.select([name for name in source.names if name not in names])


def needed_columns(source: Any, model: Any) -> Any:
    """Return the columns that a model needs, which the table must have, the others beside them."""
    if not hasattr(source, "passing"):
        raise ParameterError("a table elsewhere can be fitted; to answer its rows, copy it here")
    wanted = model.schema_.names
    if hasattr(model, "feature_names_in_") and source.named:
        if absent := _absent(source, wanted, "for the model"):
            raise TableError(absent)
        return source.passing(wanted)
    n_columns = len(model.schema_.columns)
    if len(source.names) != n_columns:
        raise TableError(
            f"{table_name(source)}: {len(source.names)} columns, but the model was fitted with "
            f"{n_columns}, and there are no names to match them by"
        )
    return source


def _absent(source: Any, wanted: Sequence[str], purpose: str) -> str:
    """Return what is wrong where a table does not have some columns; nothing where it does."""
    absent = [repr(name) for name in wanted if name not in source.names]
    if not absent:
        return ""
    return (
        f"{table_name(source)}: no column {_some(absent, SHOWN_ABSENT)} {purpose}; the columns "
        f"are {_some(source.names, SHOWN_NAMES)}"
    )


def _some(names: Sequence[str], most: int) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
