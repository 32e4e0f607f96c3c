"""Commands that say something about every row of a table."""

from __future__ import annotations

import click

from galileomix._cli import options
from galileomix._cli.engine_option import ENGINE, engine_of
from galileomix._cli.model_arguments import (
    check_model_path,
    load_model,
    missing_of,
    save_model,
)
from galileomix._cli.options import FitOptions
from galileomix._cli.output_paths import format_of
from galileomix._cli.table_arguments import TableFiles


@click.command()
@options.MODEL
@options.table_files
@options.OUTPUT
@ENGINE
@options.PROGRESS
@options.JSON_LINES
def predict(model: str, files: TableFiles, output: str, engine: str, as_json: bool) -> None:
    """Assign every row of TABLE to a cluster of a saved MODEL.

    Writes the table with three more columns: cluster, its probability, and log_density. With a
    saved detector the columns are outlier (true or false) and score, with a saved classifier
    predicted, the class, and its probability. Columns are matched by name; others are copied.

    \b
    Examples:
      galileo predict clusters.galileo survey.csv
      galileo predict clusters.galileo new.csv -o labelled.csv
      galileo predict clusters.galileo claims.parquet -o labelled.parquet
      cat new.csv | galileo predict clusters.galileo - --json > labelled.jsonl
    """
    from galileomix._cli.predictions import write_predictions

    with engine_of(engine) as found:
        write_predictions(load_model(model), files, output, as_json, found)


@click.command()
@options.table_files
@options.MODEL_OPTION
@click.option("-n", "--most", type=click.IntRange(1), default=10, help="Number of rows to show.")
@click.option(
    *("-o", "--output"),
    metavar="FILE",
    help="Write all rows, with scores and reasons: .csv, .tsv, .jsonl or .parquet.",
)
@click.option(
    "--contamination",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=0.1,
    help="Share of the fitted rows that count as outliers.",
)
@click.option(
    "--fdr",
    type=click.FloatRange(0, 0.5, min_open=True),
    help="Instead: the share of false ones among the outliers, which may then be none.",
)
@ENGINE
@options.fit_options
@click.option("--save", metavar="MODEL", help="Save the fitted detector to this file, *.galileo.")
@options.AS_JSON
def anomalies(
    files: TableFiles,
    fitting: FitOptions,
    model: str | None,
    most: int,
    output: str | None,
    contamination: float,
    fdr: float | None,
    engine: str,
    save: str | None,
    as_json: bool,
) -> None:
    """Show the rows of TABLE that fit no cluster, and why.

    Rows are counted from 1. The lower the score, the more unusual is a row. The p-value is how
    often the model draws a row that stands out as much. What speaks most against a row is rare
    values, a rare combination, a rare cluster, or one cell that does not go with the others; the
    reasons are its most surprising values, each with the value that was expected, and the fewest
    columns without which it would be usual.

    \b
    Examples:
      galileo anomalies survey.csv
      galileo anomalies survey.csv -n 50 --json > strange.json
      galileo anomalies claims.parquet --drop claim_id
      galileo anomalies survey.csv -o scored.csv --save usual.galileo
      galileo anomalies new.csv --model usual.galileo
    """
    from galileomix._cli.anomalies import anomalies as find_anomalies
    from galileomix._cli.fit_table import fit_detector
    from galileomix._cli.show import show_anomalies

    fitting.refuse_with(model)
    if output:
        format_of(output)  # a wrong name is refused before any work is done
    if model and save:
        raise click.UsageError("--save saves a fitted detector, and with --model none is fitted")
    if save:
        check_model_path(save)
    loaded = load_model(model) if model else None
    missing = missing_of(loaded) if loaded else fitting.missing
    with files.opened(missing) as source, engine_of(engine) as where:
        detector = loaded or fit_detector(source, contamination, fdr, fitting, where)
        found = find_anomalies(detector, source, most, output, loaded is None, where)
    if save:
        save_model(detector, save)
    show_anomalies(found, as_json)


@click.command()
@options.table_files
@options.MODEL_OPTION
@options.OUTPUT
@click.option(
    "--cells",
    metavar="FILE",
    help="Also list the replaced values: row, column, value, probability, deviation.",
)
@click.option(
    "--jointly",
    is_flag=True,
    help="Replace the values of a row by what is most probable together, not each by itself.",
)
@ENGINE
@options.fit_options
@options.JSON_LINES
def impute(
    files: TableFiles,
    fitting: FitOptions,
    model: str | None,
    output: str,
    cells: str | None,
    jointly: bool,
    engine: str,
    as_json: bool,
) -> None:
    """Replace the missing values of TABLE by predictions.

    Each is predicted from the known values of its row: a category is replaced by the most
    probable one, a number by the expected one. All else stays as it is. Without --model, a model
    is fitted first.

    \b
    Examples:
      galileo impute survey.csv --missing-value '?' > filled.csv
      galileo impute new.csv --model clusters.galileo -o filled.csv --cells replaced.csv
    """
    from galileomix._cli.imputation import write_imputed

    fitting.refuse_with(model)
    if cells == "-":
        raise click.UsageError("--cells needs a file: stdout is for the table")
    loaded = load_model(model) if model else None
    with engine_of(engine) as where:
        write_imputed(loaded, fitting, files, (output, cells), as_json, jointly, where)
