"""Commands that find the kinds in a table."""

from __future__ import annotations

from typing import Any

import click

from galileomix._cli import arguments, options
from galileomix._cli.model_arguments import check_model_path
from galileomix._cli.table_arguments import TableFiles, table_name


@click.command()
@options.SEED
@options.AS_JSON
def demo(seed: int, as_json: bool) -> None:
    """Find the 23 kinds of mushroom in 8124 records.

    Fits the bundled mushroom table by the density criterion, as the paper does, and says what
    AIC and BIC prefer when they are searched for.
    """
    from galileomix._cli import show
    from galileomix.datasets import load_mushroom

    table = load_mushroom().data
    _fit(table, "mushroom", {"criterion": "density", "random_state": seed}, as_json)
    if not as_json:
        for criterion in ("aic", "bic"):
            parameters = {"criterion": criterion, "random_state": seed}
            show.print_verdict(show.fit_with_progress(table, "mushroom", parameters)[1])


@click.command()
@options.table_files
@click.option("-o", "--output", metavar="MODEL", help="Keep the model in a file, *.galileo.")
@click.option(
    "--target",
    metavar="COLUMN",
    help="Learn to predict this column: the kinds of each of its classes are sought.",
)
@options.CRITERION
@options.MAX_COMPONENTS
@options.DROP
@options.CATEGORICAL
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
@options.MISSING_VALUES
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
@options.SEED
@options.JOBS
@options.AS_JSON
def fit(
    files: TableFiles,
    output: str | None,
    target: str | None,
    drop: tuple[str, ...],
    categorical: tuple[str, ...],
    seed: int,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Find the kinds of records in TABLE: CSV or Parquet files of any size.

    TABLE is a file, a directory, a pattern in quotes, or - for stdin; several are one table.

    \b
    Examples:
      galileo fit survey.csv
      galileo fit survey.csv -o kinds.galileo
      galileo fit survey.csv --target smokes -o smokers.galileo
      galileo fit claims.parquet --criterion aic --drop claim_id
      galileo fit survey.csv --separator ';' --encoding latin-1 --missing-value '?'
      galileo fit 'logs/*.csv.gz' --memory-limit 500MB
      galileo fit people.csv --discretize age=18,65 --discretize pay=quantile:4
      zcat survey.csv.gz | galileo fit - --missing-as ignore
      galileo fit survey.csv --json > kinds.json
    """
    with files.opened(parameters["missing_values"]) as source:
        kept = files.without(source, drop)
        if target:
            kept = files.without(kept, (target,), "to predict")
        if categorical:
            parameters["categorical"] = arguments.columns(categorical, kept.names)
        parameters["random_state"] = seed
        if output:
            check_model_path(output)
        name = table_name(source)
        if target:
            model = _classify(kept, source.select([target]), name, parameters, as_json)
        else:
            model = _fit(kept, name, parameters, as_json)
    if output:
        model.save(output)
        click.echo(f"the model is kept in {output}", err=True)


def _classify(
    table: Any, classes: Any, name: str, parameters: dict[str, Any], as_json: bool
) -> Any:
    from galileomix._cli import show

    model, summary = show.classify_with_progress(table, classes, name, parameters)
    if as_json:
        click.echo(show.to_json(summary))
    else:
        show.print_summary(summary, model.classes_.tolist())
    return model


def _fit(table: Any, name: str, parameters: dict[str, Any], as_json: bool) -> Any:
    from galileomix._cli import show

    model, summary = show.fit_with_progress(table, name, parameters)
    if as_json:
        click.echo(show.to_json(summary))
    else:
        show.print_summary(summary)
    return model
