"""The command that computes the paper's results again."""

from __future__ import annotations

from pathlib import Path

import click

from galileomix._cli import arguments, options
from galileomix._reproduce import NAMES

QUICK, FULL = {"seeds": 3, "most_rows": 100_000}, {"most_rows": 10_000_000}


@click.command()
@click.argument("name", type=click.Choice(["all", *NAMES]), default="all")
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a figure and the numbers of each item there, as PNG and JSON.",
)
@click.option(
    "--markdown",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page of what was computed, with the figures of --output.",
)
@click.option("--quick", is_flag=True, help="Few seeds and small tables, to see how it looks.")
@click.option("--full", is_flag=True, help="Generated tables of up to ten million rows.")
@click.option(
    "--jobs",
    type=int,
    default=-1,
    show_default=True,
    callback=lambda context, option, value: arguments.threads(value),
    help="Processes for the runs as published; -1 for all.",
)
@options.AS_JSON
def reproduce(
    name: str,
    output: Path | None,
    page: Path | None,
    quick: bool,
    full: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Compute the tables and figures of the GALILEO paper again, beside the paper's numbers.

    Every claim is reproduced, beaten, or differs, and why. All items together take about ten
    minutes on two cores; --quick is for a first look.

    \b
    Examples:
      galileo reproduce density-examples
      galileo reproduce votes -o figures
      galileo reproduce density-examples --json
    """
    from galileomix._reproduce import Item, Plan, compute, figure, keep, text

    if quick and full:
        raise click.UsageError("--quick and --full ask for opposite things")
    if output is not None:
        figure.check_drawing()
    for folder in filter(None, (output, page and page.parent)):
        folder.mkdir(parents=True, exist_ok=True)  # what cannot be written is known at once
    if name == "all" and not quick:
        click.echo("all items take about ten minutes; name one to compute it alone", err=True)
    given = QUICK if quick else FULL if full else {}
    plan = Plan(**given, jobs=jobs, tell=lambda words: click.echo(words, err=True))
    items: list[Item] = []
    for each in NAMES if name == "all" else (name,):
        items.append(compute(each, plan))
        if output is not None:
            keep.in_folder(items[-1], output)
        if not as_json:
            text.print_item(items[-1])
    if as_json:
        click.echo(text.to_json(items))
    if page is not None:
        keep.as_page(items, page, output)
