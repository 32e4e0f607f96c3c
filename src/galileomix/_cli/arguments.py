"""What was typed on the command line, read as what it stands for."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from galileomix.errors import ModelFileError, ParameterError, TableError

PARQUET = b"PAR1"
"""How every Parquet file begins."""


def spooled(folder: Any) -> Path:
    """Return a file of what stdin gives: a table is read more than once."""
    stdin: Any = sys.stdin.buffer
    first = stdin.read(len(PARQUET))
    path = folder.path / ("stdin.parquet" if first == PARQUET else "stdin.csv")
    with path.open("wb") as file:
        file.write(first)
        shutil.copyfileobj(stdin, file)
    return path


@dataclass(frozen=True)
class TableFiles:
    """The files of one table, and what was said of how they are to be read."""

    tables: tuple[str, ...]
    separator: str | None
    encoding: str | None
    no_header: bool

    @contextmanager
    def opened(self, missing_values: Sequence[str]) -> Generator[Any]:
        """Open the table; what came from stdin goes when this is over."""
        from galileomix._table import Csv, Folder, open_table

        told = self.separator is not None or self.encoding is not None or self.no_header
        with Folder() as folder:
            files = [spooled(folder) if each == "-" else Path(each) for each in self.tables]
            options = Csv(files, character(self.separator), self.encoding, not self.no_header)
            yield open_table(options if told else files, missing_values=missing_values)

    def without(self, source: Any, drop: Sequence[str], purpose: str = "to drop") -> Any:
        """Return the table that was opened without some of its columns.

        Raises
        ------
        TableError
            Where it has no such column.
        """
        unknown = [name for name in drop if name not in source.names]
        if unknown:
            raise TableError(
                f"{', '.join(self.tables)}: no column {', '.join(map(repr, unknown))} {purpose}; "
                f"there are {', '.join(source.names)}"
            )
        return source.select([name for name in source.names if name not in drop])


@dataclass(frozen=True)
class FitOptions:
    """What was said of how a model is fitted, where one may be given instead."""

    drop: tuple[str, ...]
    categorical: tuple[str, ...]
    missing_values: tuple[str, ...]
    seed: int
    n_jobs: int

    def check_unsaid(self, model: str | None) -> None:
        """Refuse what is said of fitting where a model is given."""
        if model and (self.drop or self.categorical or self.missing_values):
            raise click.UsageError(
                "--drop, --categorical and --missing-value are for fitting: a model file knows "
                "its columns and what is missing"
            )

    def settings(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the parameters of a `Galileo` for a table with these columns."""
        said = {"categorical": columns(self.categorical, names)} if self.categorical else {}
        common = {"random_state": self.seed, "n_jobs": self.n_jobs}
        return {"missing_values": self.missing_values, **common, **said}


def check_model_path(path: str) -> None:
    """Refuse a path that no model can be written to, before any work is done."""
    if path == "-":
        raise ModelFileError("a model is kept in a file: name one")
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise ModelFileError("no such folder", file=path)
    if Path(path).is_dir():
        raise ModelFileError("this is a directory, not a file to write", file=path)


def needed_columns(source: Any, model: Any) -> Any:
    """Return the columns of a table that a model needs, the others beside them.

    Raises
    ------
    TableError
        Where the table lacks some, in one line.
    """
    wanted = model.schema_.names
    if hasattr(model, "feature_names_in_") and source.named:
        absent = [name for name in wanted if name not in source.names]
        if absent:
            raise TableError(
                f"{called(source)}: no column {', '.join(map(repr, absent[:5]))}"
                f"{', ...' if len(absent) > 5 else ''}, which the model was fitted with; there "
                f"are {', '.join(source.names[:20])}{', ...' if len(source.names) > 20 else ''}"
            )
        return source.passing(wanted)
    if len(source.names) != len(wanted):
        raise TableError(
            f"{called(source)}: {len(source.names)} columns where the model was fitted with "
            f"{len(wanted)}, which have no names to find them by"
        )
    return source


def given(pairs: Sequence[str], schema: Any) -> dict[str, Any]:
    """Return what COLUMN=VALUE stands for: values by how they are written, nothing is missing."""
    from galileomix._fitted.given import check_name
    from galileomix._table import Categorical

    found: dict[str, Any] = {}
    for pair in pairs:
        name, mark, text = pair.partition("=")
        if not mark:
            raise click.BadParameter(f"{pair!r}: write it as COLUMN=VALUE")
        # A name may have the mark in it.
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
    code = int(Lookup(attribute).written([text])[0])
    return attribute.values[code] if code < len(attribute.values) else text


def _number(name: str, text: str) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        raise click.BadParameter(f"{name}={text}: {text!r} is no number") from None


def called(source: Any) -> str:
    """Return what to call the files of a table."""
    first, *others = (file.path.name for file in source.files)
    return f"{first} and {len(others)} more" if others else first


def columns(given: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that are named, with commas between where that is no name itself."""
    return [name for each in given for name in ([each] if each in names else each.split(","))]


def discretize(given: Sequence[str]) -> Any:
    """Return what the estimator calls ``discretize``."""
    from galileomix._table import binning_of

    columns = {column: _cuts(cuts) for column, mark, cuts in map(_halves, given) if mark}
    if given and not columns and len(given) == 1:
        columns = _cuts(given[0])
    elif len(columns) < len(given):
        raise click.BadParameter("give one rule for all columns, or COLUMN=RULE once for each")
    try:
        binning_of(columns or None)
    except ParameterError as error:
        raise click.BadParameter(str(error)) from None
    return columns or None


def _halves(given: str) -> tuple[str, str, str]:
    return given.rpartition("=")


def _cuts(given: str) -> Any:
    """Return a rule, a rule with its number, or edges, as far as they can be read."""
    rule, mark, number = given.partition(":")
    if mark:
        return rule, int(number) if number.isdecimal() else number
    try:
        return [float(edge) for edge in given.split(",")]
    except ValueError:
        return given


def size(value: str | None) -> str | None:
    """Return a size of memory as it is written, if it is one."""
    from galileomix._table import bytes_of

    try:
        bytes_of(value)
    except ParameterError:
        raise click.BadParameter(f"{value!r} is no size: write it as 500MB or 2GB") from None
    return value


def character(separator: str | None) -> str | None:
    r"""Return a separator, a tab where the user writes it as \t."""
    return "\t" if separator in ("\\t", "tab") else separator


def components(value: str) -> int | str:
    """Return the most components, a number or "auto"."""
    if value == "auto":
        return value
    if not value.isdecimal() or int(value) < 1:
        raise click.BadParameter(f"{value!r} is neither 'auto' nor an integer of at least 1")
    return int(value)


def threads(value: int) -> int:
    """Return a number of threads, if it is one."""
    if value == 0:
        raise click.BadParameter("0 threads do no work; -1 stands for all processors")
    return value
