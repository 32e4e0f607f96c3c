"""Reports that commands write."""

from __future__ import annotations

import sys
from typing import Any

import click

from galileomix._cli.model_arguments import missing_of, mixture_of
from galileomix._cli.output_paths import check_writable
from galileomix._cli.reporting import reporting
from galileomix._cli.table_arguments import TableFiles, needed_columns, table_name
from galileomix._estimators.loading import Model
from galileomix._estimators.report_method import report_of
from galileomix._progress import Progress


def check_report_path(path: str) -> None:
    """Refuse a path that no report can be written to, before any work is done."""
    from galileomix._report import check_page_name

    if path == "-":
        return
    check_writable(path)
    check_page_name(path)


def write_report(model: Model, source: Any, name: str, path: str, target: str = "") -> None:
    """Write the report of a model, and of an opened table where there is one."""
    with reporting(name, path) as report:
        if report is not None:
            report(Progress("making the report", 0.0))
        page = report_of(model, source, "" if source is None else name, target)
    if path == "-":
        sys.stdout.buffer.write(page.html.encode())
        sys.stdout.flush()
        return
    page.save(path)
    click.echo(f"report saved to {path}", err=True)


def write_report_of_files(model: Model, files: TableFiles, name: str, path: str) -> None:
    """Write the report of a saved model, and of the files of a table where there are any."""
    if not files.tables:
        write_report(model, None, name, path)
        return
    with files.opened(missing_of(model)) as source:
        needed_columns(source, mixture_of(model))  # refuses what has not all of them
        write_report(model, source, table_name(source), path)
