"""Commands that find the clusters of a table."""

from __future__ import annotations

from typing import Any

import click

from galileomix._cli import options
from galileomix._cli.engine_option import ENGINE, LOCAL, engine_of
from galileomix._cli.model_arguments import check_model_path, save_model
from galileomix._cli.options import FitOptions
from galileomix._cli.table_arguments import TableFiles, table_name, without


@click.command()
@options.SEED
@options.PROGRESS
@options.AS_JSON
def demo(seed: int, as_json: bool) -> None:
    """Find the 23 clusters in 8124 records of mushrooms.

    The table comes with galileo. It is fitted by the density criterion, as in the paper, then by
    AIC and by BIC; with --json, only by density.
    """
    from galileomix._cli import fit_table, show
    from galileomix.datasets import load_mushroom

    table = load_mushroom().data
    for criterion in ("density", "aic", "bic"):
        parameters = {"criterion": criterion, "random_state": seed}
        _, summary = fit_table.fit_clusters(table, "mushroom", parameters)
        if criterion == "density":
            show.show_summary(summary, as_json)
        else:
            show.print_result(summary)
        if as_json:
            return


@click.command()
@options.table_files
@click.option("-o", "--output", metavar="MODEL", help="Save the model to this file, *.galileo.")
@click.option(
    *("--report", "report_file"),
    metavar="FILE",
    help="Write a page that shows the clusters to this file, *.html.",
)
@click.option(
    "--target",
    metavar="COLUMN",
    help="Fit a classifier that predicts this column, with clusters in each of its classes.",
)
@click.option(
    *("--missing-as", "missing"),
    type=click.Choice(["category", "ignore"]),
    default="category",
    help="Whether a missing category counts as one more category or is ignored.",
)
@click.option(
    "--memory-limit",
    metavar="SIZE",
    callback=options.memory_size,
    help="Memory for the table, such as 500MB; by default half of what is available.",
)
@click.option(
    "--checkpoint",
    metavar="DIRECTORY",
    help="Keep the steps of the fit in this directory: if it is killed, the same command goes on "
    "from the last one.",
)
@ENGINE
@options.fit_options
@options.AS_JSON
def fit(
    files: TableFiles,
    fitting: FitOptions,
    output: str | None,
    report_file: str | None,
    target: str | None,
    engine: str,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Find the clusters in TABLE, files of any size.

    TABLE is a file, a directory, a pattern in quotes, or - for stdin. Several are read as one.
    Formats are CSV, Parquet, JSON lines and Feather; CSV and JSON lines may be compressed by gzip
    or lie in a zip archive.

    \b
    Examples:
      galileo fit survey.csv
      galileo fit survey.csv -o clusters.galileo
      galileo fit survey.csv --report report.html
      galileo fit survey.csv --target smokes -o smokers.galileo
      galileo fit claims.parquet --criterion aic --drop claim_id
      galileo fit survey.csv --separator ';' --encoding latin-1 --missing-value '?'
      galileo fit 'logs/*.csv.gz' --memory-limit 500MB
      galileo fit claims.parquet --checkpoint steps -o clusters.galileo
      galileo fit people.csv --discretize age=18,65 --discretize pay=quantile:4
      zcat survey.csv.gz | galileo fit - --missing-as ignore
      galileo fit survey.csv --json > clusters.json
    """
    from galileomix._cli import fit_table, show
    from galileomix._cli.report_pages import check_report_path, write_report

    if output:
        check_model_path(output)
    if report_file == "-":
        raise click.UsageError("--report needs a file: stdout is for the clusters")
    if report_file:
        check_report_path(report_file)
    if target and engine != LOCAL:
        raise click.UsageError("--engine is for clusters: a classifier (--target) is fitted here")
    with files.opened(fitting.missing) as source, engine_of(engine) as found:
        name, table = table_name(source), source
        if target:
            table = without(table, (target,), "to predict")
        parameters |= {"engine": found, **fitting.parameters(table.names)}
        if target:
            classes = source.select([target])
            model, summary = fit_table.fit_classifier(table, classes, name, parameters)
            labels = model.classes_.tolist()
        else:
            model, summary = fit_table.fit_clusters(table, name, parameters)
            labels = []
        if output:
            save_model(model, output)
        if report_file:
            write_report(model, table, name, report_file, target or "")
    show.show_summary(summary, as_json, labels)
