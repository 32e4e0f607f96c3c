"""Commands that say something of every row of a table."""

from __future__ import annotations

import click

from galileomix._cli import options
from galileomix._cli.arguments import FitOptions
from galileomix._cli.model_arguments import check_model_path, load_model, mixture_of
from galileomix._cli.table_arguments import TableFiles


@click.command()
@options.MODEL
@options.table_files
@options.OUTPUT
@options.JSON_LINES
def predict(model: str, files: TableFiles, output: str, as_json: bool) -> None:
    """Say of which kind every row of TABLE is, by a MODEL that was kept.

    Writes the table with columns added: kind and its probability, and the log density of the row.
    Of a detector's model: outlier (true or false) and score. Of a classifier's: the predicted
    class and its probability. Columns are found by their names; others are passed on as they are.

    \b
    Examples:
      galileo predict kinds.galileo survey.csv
      galileo predict kinds.galileo new.csv -o labelled.csv
      galileo predict kinds.galileo claims.parquet -o labelled.parquet
      cat new.csv | galileo predict kinds.galileo - --json > labelled.jsonl
    """
    from galileomix._cli import annotate

    annotate.predictions(load_model(model), files, output, as_json)


@click.command()
@options.table_files
@options.MODEL_OPTION
@click.option(
    "-n", "--most", type=click.IntRange(1), default=10, show_default=True, help="Rows to show."
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write all rows with their scores and reasons: .csv, .tsv, .jsonl or .parquet.",
)
@click.option(
    "--contamination",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=0.1,
    show_default=True,
    help="The share of rows to take for outliers, where a model is fitted.",
)
@options.fit_options
@click.option("--save", metavar="MODEL", help="Keep the detector that was fitted in a file.")
@options.AS_JSON
def anomalies(
    files: TableFiles,
    fitting: FitOptions,
    model: str | None,
    most: int,
    output: str | None,
    contamination: float,
    save: str | None,
    as_json: bool,
) -> None:
    """Show the rows of TABLE that fit no kind, and which cells are to blame.

    For every row: its score, the share of fitted rows that stand out at least as much, and the
    most surprising cells with what was expected instead. Rows are counted from 1.

    \b
    Examples:
      galileo anomalies survey.csv
      galileo anomalies survey.csv -n 50 --json > strange.json
      galileo anomalies claims.parquet --drop claim_id
      galileo anomalies survey.csv -o scored.csv --save usual.galileo
      galileo anomalies new.csv --model usual.galileo
    """
    from galileomix._cli import annotate, show
    from galileomix._cli.anomalies import anomalies as find_anomalies
    from galileomix._cli.output import format_of

    fitting.check_unsaid(model)
    if output:
        format_of(output)  # what cannot be written is known before any work is done
    if model and save:
        raise click.UsageError("--save keeps what is fitted; with --model nothing is")
    if save:
        check_model_path(save)
    held = load_model(model) if model else None
    missing = mixture_of(held).missing_values if held else fitting.missing_values
    with files.opened(missing) as source:
        detector = held or annotate.detector(
            files.without(source, fitting.drop), contamination, fitting
        )
        found = find_anomalies(detector, source, most, output)
    if save:
        detector.save(save)
    if as_json:
        click.echo(show.anomalies_as_json(found))
    else:
        show.print_anomalies(found)


@click.command()
@options.table_files
@options.MODEL_OPTION
@options.OUTPUT
@click.option(
    "--cells",
    metavar="FILE",
    help="Also write what was filled in: row, column, value, probability, deviation.",
)
@options.fit_options
@options.JSON_LINES
def impute(
    files: TableFiles,
    fitting: FitOptions,
    model: str | None,
    output: str,
    cells: str | None,
    as_json: bool,
) -> None:
    """Fill the missing cells of TABLE with what the other cells lead to expect.

    A category gets its most probable value, a number its mean. All else stays as it is. Without
    --model, one is fitted by AIC, which resolves more kinds than BIC.

    \b
    Examples:
      galileo impute survey.csv --missing-value '?' > filled.csv
      galileo impute new.csv --model kinds.galileo -o filled.csv --cells doubts.csv
    """
    from galileomix._cli import annotate

    fitting.check_unsaid(model)
    if cells == "-":
        raise click.UsageError("--cells needs a file: stdout is for the table")
    held = load_model(model) if model else None
    annotate.imputed(held, fitting, files, (output, cells), as_json)
