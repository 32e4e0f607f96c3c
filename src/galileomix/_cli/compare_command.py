"""The command that compares clustering methods."""

from __future__ import annotations

import click

from galileomix._cli import options
from galileomix._cli.options import FitOptions
from galileomix._cli.table_arguments import TableFiles, table_name, without


@click.command()
@options.table_files
@click.option(
    "--truth", metavar="COLUMN", help="Column of true classes, which is not clustered on."
)
@click.option(
    *("-k", "n_clusters"),
    type=click.IntRange(1),
    metavar="N",
    help="Number of clusters for methods that need it; by default that of the true classes, or "
    "else what Galileo finds.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="METHOD",
    help="Run only Galileo and this method; may be repeated.",
)
@options.fit_options
@options.AS_JSON
def compare(
    files: TableFiles,
    fitting: FitOptions,
    truth: str | None,
    n_clusters: int | None,
    only: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compare Galileo with other clustering methods on TABLE.

    For each method: the number of clusters, the agreement with the true classes (ARI, the
    adjusted Rand index), category utility, mean density, the BIC of mixture models, and the time.
    Methods that cannot cluster the table are listed with the reason.

    \b
    Examples:
      galileo compare survey.csv
      galileo compare survey.csv --truth smokes --only k-modes --only 'hdbscan gower'
      galileo compare survey.csv -k 3 --drop age --missing-value '?' --only rock --json > found.json
    """
    from galileomix._cli.reporting import reporting
    from galileomix._cli.show_comparison import show_comparison
    from galileomix._estimators.galileo import Galileo
    from galileomix._table import read
    from galileomix.baselines._comparison import compare, truth_of

    with files.opened(fitting.missing) as source:
        rest = without(source, [truth] if truth else [], "with true classes")
        name, table = table_name(source), read(rest)
        classes = truth_of(read(source), truth) if truth else None
    parameters = fitting.parameters(table.names)
    parameters["drop"] = [column for column in parameters["drop"] if column != truth]
    galileo = Galileo(**parameters)
    with reporting(name) as report:
        found = compare(
            table, galileo, truth=classes, n_clusters=n_clusters, only=only, report=report
        )
    show_comparison(name, found, as_json)
