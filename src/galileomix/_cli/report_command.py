"""The command that writes the report of a saved model."""

from __future__ import annotations

from pathlib import Path

import click

from galileomix._cli import options
from galileomix._cli.model_arguments import load_model
from galileomix._cli.table_arguments import TableFiles


@click.command()
@options.MODEL
@options.some_table_files
@click.option(
    *("-o", "--output"),
    metavar="FILE",
    required=True,
    help="Write the page to this file, *.html, or to stdout (-).",
)
def report(model: str, files: TableFiles, output: str) -> None:
    """Write a page that shows the clusters of a saved MODEL.

    The page is one file that any browser opens, without a network. With TABLE, the table that was
    fitted or another one with its columns, it has typical records of every cluster and the
    records that stand out most.

    \b
    Examples:
      galileo report clusters.galileo -o report.html
      galileo report clusters.galileo survey.csv -o report.html
    """
    from galileomix._cli.report_pages import check_report_path, write_report_of_files

    check_report_path(output)
    write_report_of_files(load_model(model), files, Path(model).name, output)
