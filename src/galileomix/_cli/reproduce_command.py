"""The command that recomputes the paper's results."""

from __future__ import annotations

from pathlib import Path

import click

from galileomix._cli import options
from galileomix._reproduce import NAMES

QUICK, FULL = {"seeds": 3, "most_rows": 100_000}, {"most_rows": 10_000_000}


@click.command()
@click.argument("name", metavar="[ITEM]", type=click.Choice(["all", *NAMES]), default="all")
@click.option(
    *("-o", "--output"),
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each item's figure and numbers to this folder, as PNG and JSON.",
)
@click.option(
    *("--markdown", "page"),
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results as a page, with the figures of --output.",
)
@click.option("--quick", is_flag=True, help="Few seeds and small tables, for a first look.")
@click.option("--full", is_flag=True, help="Generated tables of up to ten million rows.")
@click.option(
    "--jobs",
    type=int,
    default=-1,
    callback=options.check_n_jobs,
    help="Number of processes for the runs as published; -1 for all processors.",
)
@options.PROGRESS
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
    """Recompute the tables and figures of the GALILEO paper.

    ITEM is density-examples, votes, mushroom, summary, criteria, pruning, k-max or scaling; all of
    them by default.

    Each number is shown beside the paper's, with a verdict: reproduced, beaten, or different and
    why. All items together take about ten minutes on two cores.

    \b
    Examples:
      galileo reproduce density-examples
      galileo reproduce votes -o figures
      galileo reproduce density-examples --json
    """
    from galileomix._cli.reporting import reporting
    from galileomix._reproduce import Item, Plan, compute, item_files, item_text
    from galileomix.plots._drawing import check_drawing

    if quick and full:
        raise click.UsageError("--quick and --full exclude each other")
    if output is not None:
        check_drawing()
    for folder in filter(None, (output, page and page.parent)):
        folder.mkdir(parents=True, exist_ok=True)  # fails before any work is done, if at all
    if name == "all" and not quick:
        click.echo("all items take about ten minutes; name one to compute it alone", err=True)
    work = QUICK if quick else FULL if full else {}
    items: list[Item] = []
    names = NAMES if name == "all" else (name,)
    for number, item in enumerate(names, start=1):
        with reporting(f"item {number} of {len(names)}") as report:
            plan = Plan(**work, jobs=jobs, report=report)
            plan.progress(item)
            items.append(compute(item, plan))
        if output is not None:
            item_files.write_item(items[-1], output)
        if not as_json:
            item_text.print_item(items[-1])
    if as_json:
        click.echo(item_text.to_json(items))
    if page is not None:
        item_files.write_page(items, page, output)
