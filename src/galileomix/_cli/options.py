"""Options that several commands have, and the values that the texts of options stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from galileomix._cli.table_arguments import TableFiles
from galileomix.errors import ParameterError

if TYPE_CHECKING:
    from galileomix._table import MissingValues

Command = Callable[..., None]


def check_n_jobs(context: click.Context, option: click.Parameter, number: int) -> int:
    """Refuse a number of threads or processes that means nothing."""
    if number == 0:
        raise click.BadParameter("0 is not possible; -1 stands for all processors")
    return number


SEED = click.option("--seed", type=click.IntRange(0), default=0, help="Random seed.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
JSON_LINES = click.option("--json", "as_json", is_flag=True, help="Write one JSON object per row.")
DROP = click.option(
    "--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated."
)
MISSING_VALUES = click.option(
    *("--missing-value", "missing_values"),
    multiple=True,
    metavar="TEXT",
    help="Text that stands for a missing value, such as '?'; may be repeated.",
)
MODEL = click.argument("model", type=click.Path())
MODEL_OPTION = click.option(
    *("-m", "--model"),
    type=click.Path(),
    metavar="MODEL",
    help="Model file; without it, a model is fitted to the table.",
)
OUTPUT = click.option(
    *("-o", "--output"),
    default="-",
    show_default="stdout",
    metavar="FILE",
    help="Output file: .csv, .tsv, .jsonl or .parquet.",
)
GIVEN = click.option(
    "--given",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="Known value; may be repeated. COLUMN= is a missing value.",
)
_TABLE = (
    click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path()),
    click.option("--separator", help="Field separator of CSV files; detected by default."),
    click.option("--encoding", help="Encoding of CSV files; detected by default."),
    click.option("--no-header", is_flag=True, help="CSV files have no header line."),
)
_FIT = (
    DROP,
    click.option(
        "--categorical",
        multiple=True,
        metavar="COLUMNS",
        help="Read these columns as categories and all others as numbers; separated by commas, "
        "or repeated.",
    ),
    MISSING_VALUES,
    click.option(
        "--n-components",
        type=click.IntRange(1),
        metavar="N",
        help="Number of clusters; by default the criterion chooses it.",
    ),
    SEED,
    click.option(
        *("--jobs", "n_jobs"),
        type=int,
        default=1,
        callback=check_n_jobs,
        help="Number of threads; -1 for all processors.",
    ),
)


@dataclass(frozen=True)
class FitOptions:
    """Options of every fit."""

    drop: tuple[str, ...]
    categorical: tuple[str, ...]
    missing_values: tuple[str, ...]
    n_components: int | None
    seed: int
    n_jobs: int

    @property
    def missing(self) -> MissingValues:
        """What means missing."""
        from galileomix._table import MissingValues

        return MissingValues.of(self.missing_values)

    def refuse_with(self, model: str | None) -> None:
        """Refuse options of a fit together with a fitted model."""
        given = (self.drop, self.categorical, self.missing_values, self.n_components)
        if model and any(given):
            names = "--drop, --categorical, --n-components and --missing-value"
            raise click.UsageError(f"{names} are for fitting: leave them out with --model")

    def parameters(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the parameters of a `Galileo` for a table with these columns."""
        found: dict[str, Any] = {"random_state": self.seed, "n_jobs": self.n_jobs}
        if self.n_components is not None:
            found["n_components"] = self.n_components
        if self.categorical:
            found["categorical"] = _column_names(self.categorical, names)
        return {**found, "missing_values": self.missing_values}


def table_files(command: Command) -> Command:
    """Give a command the arguments that name a table, as one `TableFiles`."""
    return _grouped(command, _TABLE, "files", TableFiles)


def fit_options(command: Command) -> Command:
    """Give a command the options of a fit, as one `FitOptions`."""
    return _grouped(command, _FIT, "fitting", FitOptions)


def _grouped(command: Command, options: Sequence[Any], name: str, group: Any) -> Command:
    """Give a command some options, as one argument with a field for each of them."""

    @wraps(command)
    def wrapped(**given: Any) -> None:
        values = {field.name: given.pop(field.name) for field in fields(group)}
        command(**{name: group(**values)}, **given)

    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def _column_names(given: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the columns that are named; a text that is no name itself is split at its commas."""
    parts = ([text] if text in names else text.split(",") for text in given)
    return [name for part in parts for name in part]


def discretize(context: click.Context, option: click.Parameter, given: Sequence[str]) -> Any:
    """Return the estimators' parameter ``discretize``."""
    from galileomix._table import binning_of

    # A name may contain the mark, a rule does not.
    parts = (text.rpartition("=") for text in given)
    rules: Any = {column: _rule(text) for column, mark, text in parts if mark}
    if not rules and len(given) == 1:
        rules = _rule(given[0])
    elif len(rules) < len(given):
        raise click.BadParameter("give one rule for all columns, or COLUMN=RULE once for each")
    try:
        binning_of(rules or None)
    except ParameterError as error:
        raise click.BadParameter(str(error)) from None
    return rules or None


def _rule(text: str) -> Any:
    """Return a rule, a rule with its number, or edges; what cannot be read stays text."""
    rule, mark, number = text.partition(":")
    if mark:
        return rule, int(number) if number.isdecimal() else number
    try:
        return [float(edge) for edge in text.split(",")]
    except ValueError:
        return text


def memory_size(context: click.Context, option: click.Parameter, text: str | None) -> str | None:
    """Return a size of memory as it is written, if it is one."""
    from galileomix._table import bytes_of

    try:
        bytes_of(text)
    except ParameterError:
        raise click.BadParameter(f"{text!r} is not a size: write it as 500MB or 2GB") from None
    return text


def max_components(context: click.Context, option: click.Parameter, text: str) -> int | str:
    """Return the largest number of clusters to try, or "auto"."""
    if text == "auto":
        return text
    if not text.isdecimal() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither 'auto' nor an integer of at least 1")
    return int(text)
