"""The command line: parsing only. Data goes to stdout, words to stderr."""

from __future__ import annotations

import signal
import sys
import threading
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import Any

import click

from galileomix import __version__, arguments
from galileomix.errors import GalileoError, GalileoWarning, ParameterError, TableError

FAILED, USAGE, BAD_DATA, INTERRUPTED, TERMINATED = 1, 2, 3, 130, 143

CRITERION = click.option(
    "--criterion",
    type=click.Choice(["bic", "aic", "density"]),
    default="bic",
    show_default=True,
    help="What chooses the number of components.",
)
MAX_COMPONENTS = click.option(
    "--max-components",
    default="auto",
    show_default=True,
    callback=lambda context, option, value: arguments.components(value),
    help="The most components to consider, or 'auto'.",
)
SEED = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Random seed."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="galileo")
def galileo() -> None:
    """Find the kinds of records in a table of categories, of numbers, or of both.

    With --debug anywhere, an error shows its traceback.
    """


@galileo.command()
@SEED
@AS_JSON
def demo(seed: int, as_json: bool) -> None:
    """Find the 23 kinds of mushroom in 8124 records.

    Fits the bundled mushroom table by the density criterion, as the paper does, and says what
    AIC and BIC prefer when they are searched for.
    """
    from galileomix import show
    from galileomix.datasets import load_mushroom

    table = load_mushroom().data
    _fit(table, "mushroom", {"criterion": "density", "random_state": seed}, as_json)
    if not as_json:
        for criterion in ("aic", "bic"):
            parameters = {"criterion": criterion, "random_state": seed}
            show.print_verdict(show.fit_with_progress(table, "mushroom", parameters))


@galileo.command()
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True)
@CRITERION
@MAX_COMPONENTS
@click.option(
    "--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated."
)
@click.option(
    "--categorical",
    multiple=True,
    metavar="COLUMNS",
    help="Exactly these are categories, the others numbers; with commas between, or repeated.",
)
@click.option(
    "--discretize",
    multiple=True,
    metavar="RULE",
    callback=lambda context, option, value: arguments.discretize(value),
    help="Cut numbers into intervals: quantile, width, width:3; or of one column, as age=18,65 or "
    "age=quantile:3; may be repeated.",
)
@click.option(
    "--covariance",
    type=click.Choice(["full", "diagonal"]),
    default="full",
    show_default=True,
    help="Whether numbers may depend on one another within a kind.",
)
@click.option("--separator", help="Between the fields of a CSV file; found by itself.")
@click.option("--encoding", help="Of a CSV file, such as latin-1; found by itself.")
@click.option("--no-header", is_flag=True, help="The first line of a CSV file is data.")
@click.option(
    "--missing-value",
    "missing_values",
    multiple=True,
    metavar="TEXT",
    help="Text that means missing, such as '?'; may be repeated.",
)
@click.option(
    "--missing-as",
    "missing",
    type=click.Choice(["category", "ignore"]),
    default="category",
    show_default=True,
    help="Whether a missing category is one more value or is left out.",
)
@click.option(
    "--memory-limit",
    metavar="SIZE",
    callback=lambda context, option, value: arguments.size(value),
    help="Memory for the table, such as 500MB; half of the machine's by default.",
)
@SEED
@click.option(
    "--jobs",
    "n_jobs",
    type=int,
    default=1,
    show_default=True,
    callback=lambda context, option, value: arguments.threads(value),
    help="Threads; -1 for all.",
)
@AS_JSON
def fit(
    tables: tuple[str, ...],
    drop: tuple[str, ...],
    categorical: tuple[str, ...],
    separator: str | None,
    encoding: str | None,
    no_header: bool,
    seed: int,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Find the kinds of records in TABLE: CSV or Parquet files of any size.

    TABLE is a file, a directory, a pattern in quotes, or - for stdin; several are one table.

    \b
    Examples:
      galileo fit survey.csv
      galileo fit claims.parquet --criterion aic --drop claim_id
      galileo fit survey.csv --separator ';' --encoding latin-1 --missing-value '?'
      galileo fit 'logs/*.csv.gz' --memory-limit 500MB
      galileo fit people.csv --discretize age=18,65 --discretize pay=quantile:4
      zcat survey.csv.gz | galileo fit - --missing-as ignore
      galileo fit survey.csv --json > kinds.json
    """
    from galileomix.table import Csv, Folder, open_table

    told = separator is not None or encoding is not None or no_header
    with Folder() as folder:
        files = [arguments.spooled(folder) if each == "-" else FilePath(each) for each in tables]
        options = Csv(files, arguments.character(separator), encoding, not no_header)
        source = open_table(options if told else files, missing_values=parameters["missing_values"])
        unknown = [name for name in drop if name not in source.names]
        if unknown:
            raise TableError(
                f"{', '.join(tables)}: no column {', '.join(map(repr, unknown))} to drop; "
                f"there are {', '.join(source.names)}"
            )
        kept = source.select([name for name in source.names if name not in drop])
        if categorical:
            parameters["categorical"] = arguments.columns(categorical, kept.names)
        _fit(kept, arguments.called(source), {**parameters, "random_state": seed}, as_json)


def _fit(table: Any, name: str, parameters: dict[str, Any], as_json: bool) -> None:
    from galileomix import show

    summary = show.fit_with_progress(table, name, parameters)
    if as_json:
        click.echo(show.to_json(summary))
    else:
        show.print_summary(summary)


class _Terminated(BaseException):
    """Somebody asked the process to end."""


@contextmanager
def _tidy_end() -> Generator[None]:
    """Let SIGTERM end the program by way of what must be tidied up, such as folders."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: let it tidy up
        raise _Terminated

    usual = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual or signal.SIG_DFL)


@contextmanager
def _plain_warnings() -> Generator[None]:
    """Show our own warnings as one line each, without a place in the code."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        usual = warnings.showwarning

        def showwarning(message: Any, category: Any, *rest: Any, **more: Any) -> None:
            if issubclass(category, GalileoWarning | ConvergenceWarning):
                click.echo(f"galileo: note: {message}", err=True)
            else:
                usual(message, category, *rest, **more)

        warnings.showwarning = showwarning
        yield


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    try:
        with _tidy_end(), _plain_warnings():
            code = galileo.main(
                [each for each in given if each != "--debug"],
                prog_name="galileo",
                standalone_mode=False,
            )
    except click.exceptions.Abort:
        click.echo("galileo: interrupted", err=True)
        code = INTERRUPTED
    except _Terminated:
        click.echo("galileo: terminated", err=True)
        code = TERMINATED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Exception as error:
        if debug:
            raise
        click.echo(f"galileo: {_in_words(error)}", err=True)
        code = _code(error)
    sys.exit(code if isinstance(code, int) else 0)


def _code(error: Exception) -> int:
    if isinstance(error, ParameterError):
        return USAGE
    return BAD_DATA if isinstance(error, TableError) else FAILED


def _in_words(error: Exception) -> str:
    if isinstance(error, GalileoError | OSError):
        return str(error)
    return f"{type(error).__name__}: {error} (this should not happen; --debug shows where)"
