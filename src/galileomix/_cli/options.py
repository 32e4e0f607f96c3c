"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from galileomix._cli import arguments
from galileomix._cli.table_arguments import TableFiles

Command = Callable[..., None]

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
JOBS = click.option(
    "--jobs",
    "n_jobs",
    type=int,
    default=1,
    show_default=True,
    callback=lambda context, option, value: arguments.threads(value),
    help="Threads; -1 for all.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
JSON_LINES = click.option("--json", "as_json", is_flag=True, help="Write one JSON object per row.")
MODEL = click.argument("model", type=click.Path())
MODEL_OPTION = click.option(
    "-m",
    "--model",
    type=click.Path(),
    metavar="MODEL",
    help="A model file; without it, one is fitted to the table.",
)
OUTPUT = click.option(
    "-o",
    "--output",
    default="-",
    type=click.Path(),
    metavar="FILE",
    help="Where to: .csv, .tsv, .jsonl or .parquet; stdout by default.",
)
GIVEN = click.option(
    "--given",
    "pairs",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="What is known; may be repeated. COLUMN= is a missing value.",
)
MISSING_VALUES = click.option(
    "--missing-value",
    "missing_values",
    multiple=True,
    metavar="TEXT",
    help="Text that means missing, such as '?'; may be repeated.",
)
DROP = click.option(
    "--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated."
)
CATEGORICAL = click.option(
    "--categorical",
    multiple=True,
    metavar="COLUMNS",
    help="Exactly these are categories, the others numbers; with commas between, or repeated.",
)
_TABLE = (
    click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path()),
    click.option("--separator", help="Between the fields of a CSV file; found by itself."),
    click.option("--encoding", help="Of a CSV file, such as latin-1; found by itself."),
    click.option("--no-header", is_flag=True, help="The first line of a CSV file is data."),
)


def table_files(command: Command) -> Command:
    """Give a command the arguments that name a table, as one `TableFiles`."""

    @wraps(command)
    def wrapped(
        tables: tuple[str, ...],
        separator: str | None,
        encoding: str | None,
        no_header: bool,
        **rest: Any,
    ) -> None:
        command(files=TableFiles(tables, separator, encoding, no_header), **rest)

    for option in reversed(_TABLE):
        wrapped = option(wrapped)
    return wrapped


def fit_options(command: Command) -> Command:
    """Give a command the options of fitting, as one `arguments.FitOptions`."""

    @wraps(command)
    def wrapped(
        drop: tuple[str, ...],
        categorical: tuple[str, ...],
        missing_values: tuple[str, ...],
        seed: int,
        n_jobs: int,
        **rest: Any,
    ) -> None:
        said = arguments.FitOptions(drop, categorical, missing_values, seed, n_jobs)
        command(fitting=said, **rest)

    for option in (JOBS, SEED, MISSING_VALUES, CATEGORICAL, DROP):
        wrapped = option(wrapped)
    return wrapped
