"""What was typed on the command line, read as what it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from galileomix.errors import ParameterError


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
