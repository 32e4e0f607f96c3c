"""The command that compares methods."""

from __future__ import annotations

import click

from galileomix._cli import options
from galileomix._cli.table_arguments import TableFiles, table_name


@click.command()
@options.table_files
@click.option(
    "--truth", metavar="COLUMN", help="The class of each row: judged by, not clustered on."
)
@click.option(
    "-k",
    "n_clusters",
    type=click.IntRange(1),
    metavar="N",
    help="Clusters, for methods that must be told; the classes, or what Galileo finds, by default.",
)
@click.option(
    "--only", multiple=True, metavar="METHOD", help="Run Galileo and this one; may be repeated."
)
@options.DROP
@options.MISSING_VALUES
@options.SEED
@options.AS_JSON
def compare(
    files: TableFiles,
    truth: str | None,
    n_clusters: int | None,
    only: tuple[str, ...],
    drop: tuple[str, ...],
    missing_values: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> None:
    """Cluster TABLE by Galileo and by every other method there is, and show how they do.

    For each: the clusters it finds, how well these agree with the truth where it is given (ARI,
    the adjusted Rand index), category utility, mean density, BIC of mixtures, and the time.
    Methods that cannot take the table are listed with the reason.

    \b
    Examples:
      galileo compare survey.csv
      galileo compare survey.csv --truth smokes --only k-modes --only 'hdbscan gower'
      galileo compare survey.csv -k 3 --drop age --missing-value '?' --only rock --json > found.json
    """
    from galileomix._cli import show_comparison
    from galileomix._table import read
    from galileomix.baselines._comparison import compare, truth_of

    with files.opened(missing_values) as source:
        files.without(source, [truth] if truth else [], "to take for the truth")
        name, table = (
            table_name(source),
            read(files.without(source, [each for each in drop if each != truth])),
        )
    classes = truth_of(table, truth) if truth else None
    table = table.select([each for each in table.names if each != truth])
    with show_comparison.telling(name) as tell:
        found = compare(
            table, truth=classes, n_clusters=n_clusters, only=only, random_state=seed, tell=tell
        )
    if as_json:
        click.echo(show_comparison.to_json(name, found))
    else:
        show_comparison.print_comparison(name, found)
