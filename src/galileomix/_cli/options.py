"""Options that several commands have, and the values that the texts of options stand for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal

import click

from galileomix._cli.table_arguments import TableFiles
from galileomix.errors import ParameterError

if TYPE_CHECKING:
    from galileomix._table import MissingValues

Command = Callable[..., None]
ASKED_FOR_PROGRESS = "galileomix.progress"
"""The name under which a command notes whether progress is to be shown."""
CHOSEN = (
    "criterion",
    "max_components",
    "n_components",
    "discretize",
    "covariance",
    "effort",
    "time_limit",
)
"""Options that are parameters of `Galileo` where they are given."""


def check_n_jobs(context: click.Context, option: click.Parameter, number: int) -> int:
    """Refuse a number of threads or processes that means nothing."""
    if number == 0:
        raise click.BadParameter("0 is not possible; -1 stands for all processors")
    return number


def note_progress(context: click.Context, option: click.Parameter, asked: bool | None) -> None:
    """Note whether progress is to be shown, for whatever the command does."""
    context.meta[ASKED_FOR_PROGRESS] = asked


SEED = click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Random seed.")
PROGRESS = click.option(
    "--progress/--no-progress",
    default=None,
    expose_value=False,
    callback=note_progress,
    help="Show progress on stderr.",
    show_default="on a terminal",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
JSON_LINES = click.option("--json", "as_json", is_flag=True, help="Write one JSON object per row.")
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
_READING = (
    click.option("--separator", help="Field separator of CSV files; detected by default."),
    click.option("--encoding", help="Encoding of CSV files; detected by default."),
    click.option("--no-header", is_flag=True, help="CSV files have no header line."),
)
_TABLE = click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path())
_TABLE_OR_NONE = click.argument("tables", metavar="[TABLE...]", nargs=-1, type=click.Path())
_TYPES = (
    click.option(
        "--categorical",
        multiple=True,
        metavar="COLUMNS",
        help="Columns that are categories, separated by commas, or 'all'; may be repeated. The "
        "types of columns that are not named are decided by their cells.",
    ),
    click.option(
        "--numeric",
        multiple=True,
        metavar="COLUMNS",
        help="Columns that are numbers, separated by commas, or 'all'; may be repeated.",
    ),
    click.option(
        "--ordered",
        multiple=True,
        metavar="COLUMNS",
        help="Columns whose categories have an order, separated by commas; size=S,M,L gives the "
        "order of one; may be repeated.",
    ),
    click.option(
        "--drop",
        multiple=True,
        metavar="COLUMNS",
        help="Columns to leave out, separated by commas; may be repeated.",
    ),
    click.option(
        *("--missing-value", "missing_values"),
        multiple=True,
        metavar="TEXT",
        help="Further text that stands for a missing value, such as 'unknown'; may be repeated.",
    ),
    click.option(
        "--no-default-missing",
        is_flag=True,
        help="Take NA, NULL, ?, - and the like for values; an empty cell is missing always.",
    ),
)
_FIT = (
    *_TYPES,
    click.option(
        "--criterion",
        type=click.Choice(["bic", "aic", "density"]),
        help="Criterion that chooses the number of clusters.",
        show_default="bic",
    ),
    click.option(
        "--max-components",
        metavar="N",
        callback=lambda context, option, text: max_components(context, option, text),
        help="Largest number of clusters to try.",
        show_default="auto",
    ),
    click.option(
        "--discretize",
        multiple=True,
        metavar="RULE",
        callback=lambda context, option, given: discretize(context, option, given),
        help="Cut numbers into intervals: quantile, width or width:3 for all columns; age=18,65 "
        "or age=quantile:3 for one; may be repeated.",
    ),
    click.option(
        "--covariance",
        type=click.Choice(["auto", "full", "diagonal"]),
        help="Whether numbers may be correlated within a cluster (full) or not (diagonal).",
    ),
    click.option(
        "--effort",
        type=float,
        metavar="NUMBER",
        help="How long to search without finding better: 3 for longer, 0.3 for a quick look.",
        show_default="1; 0.25 for anomalies and impute",
    ),
    click.option(
        "--time-limit",
        type=float,
        metavar="SECONDS",
        help="End the search after so many seconds with the best clusters so far.",
    ),
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
    PROGRESS,
)


@dataclass(frozen=True)
class FitOptions:
    """Options of every fit."""

    categorical: tuple[str, ...]
    numeric: tuple[str, ...]
    ordered: tuple[str, ...]
    drop: tuple[str, ...]
    missing_values: tuple[str, ...]
    no_default_missing: bool
    criterion: str | None
    max_components: int | Literal["auto"] | None
    discretize: Any
    covariance: str | None
    effort: float | None
    time_limit: float | None
    n_components: int | None
    seed: int
    n_jobs: int

    @property
    def missing(self) -> MissingValues:
        """What means missing."""
        from galileomix._table import MissingValues

        return MissingValues.of(self.missing_values, not self.no_default_missing)

    def refuse_with(self, model: str | None) -> None:
        """Refuse options of a fit together with a fitted model."""
        names = (field.name for field in fields(self) if field.name not in ("seed", "n_jobs"))
        given = [name for name in names if getattr(self, name)]
        if model and given:
            option = given[0].replace("missing_values", "missing-value").replace("_", "-")
            raise click.UsageError(f"--{option} is for fitting: leave it out with --model")

    def parameters(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the parameters of a `Galileo` for a table with these columns."""
        chosen = {name: getattr(self, name) for name in CHOSEN if getattr(self, name) is not None}
        return {
            **chosen,
            **self.types(names),
            "missing_values": self.missing_values,
            "default_missing": not self.no_default_missing,
            "random_state": self.seed,
            "n_jobs": self.n_jobs,
        }

    def types(self, names: Sequence[str]) -> dict[str, Any]:
        """Return what is said of columns."""
        return {
            "categorical": _column_names(self.categorical, names) or "auto",
            "numeric": _column_names(self.numeric, names),
            "ordered": _orders(self.ordered, names),
            "drop": _column_names(self.drop, names),
        }


def table_files(command: Command) -> Command:
    """Give a command the arguments that name a table, as one `TableFiles`."""
    return _grouped(command, (_TABLE, *_READING), "files", TableFiles)


def some_table_files(command: Command) -> Command:
    """Give a command the arguments that may name a table, as one `TableFiles`."""
    return _grouped(command, (_TABLE_OR_NONE, *_READING), "files", TableFiles)


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


def _column_names(given: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    """Return the columns that are named; a text that is no name itself is split at its commas."""
    if given == ("all",) and "all" not in names:
        return "all"
    parts = ([text] if text in names else text.split(",") for text in given)
    return [name for part in parts for name in part] or ()


def _orders(given: Sequence[str], names: Sequence[str]) -> Any:
    """Return columns that are ordered, with their order where it is given."""
    orders: dict[str, Any] = {}
    for text in given:
        name, mark, values = text.partition("=")
        if text not in names and mark and name in names:
            orders[name] = [_whole(value) for value in values.split(",")]
        else:
            orders |= dict.fromkeys(_column_names([text], names), ())
    return orders if any(orders.values()) else list(orders)


def _whole(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdecimal() else text


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
    except ParameterError:
        wanted = "write quantile, width, width:3 (2 to 1000), or age=18,65 with edges that increase"
        raise click.BadParameter(f"{', '.join(map(repr, given))}: {wanted}") from None
    return rules or None


def _rule(text: str) -> Any:
    """Return a rule, a rule with its number, or edges; what cannot be read stays text."""
    rule, mark, number = text.partition(":")
    if mark:
        return rule, int(number) if number.isdecimal() and len(number) < 9 else number
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


def max_components(
    context: click.Context, option: click.Parameter, text: str | None
) -> int | str | None:
    """Return the largest number of clusters to try, or "auto"."""
    if text is None or text == "auto":
        return text
    if not text.isdecimal() or int(text) < 1:
        raise click.BadParameter(f"{text!r} is neither 'auto' nor an integer of at least 1")
    return int(text)
