"""Records into Markdown: tables, and the sections of docs/results.md between their markers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any

from benchmarks.common import Record

INTRO = """\
# Results

Every figure here is made by `make bench-results` (`python -m benchmarks`), which runs the searches,
keeps what it measured in `benchmarks/results/` and writes the tables below between their markers;
`python -m benchmarks --render` writes them again from what was kept. A seed is one fit with that
`random_state`. Times are of one thread, without compiling, with as many fits side by side as the
line under the table says.

The default search grows from one component and draws nothing while it does; the seed enters by the
kicks and fresh starts that follow. So when all seeds agree, that is in part how the method works
and not as many independent tries. The search as published and StepMix draw their whole start.

Sections differ in the search that they are of; most are to be measured again. How long a fit will
still take is of the search there is. The search, on tables that it was tuned on and on others, and
a million rows are of the one before, which fitted kicks that stay behind to the last digit: by AIC
it took about twice as many passes. Rows left out (one fold of five), wrong cells (two draws of
five) and signals to commands are of the one before that. Column types, default calls, seven well-
known tables, wide tables, blame, anomalies, classification, signals and reports precede growth in
two ways and fresh starts; anomalies also what the detector knows of rare clusters and of noisy
columns. Effort and missing values precede these. All else is of a search that had no kicks and
swept over every size.
"""


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a Markdown table.

    >>> print(table(["k", "share"], [[2, 0.5]]))
    | k | share |
    |---|---|
    | 2 | 0.5 |
    """
    lines = [header, *rows]
    written = ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]
    written.insert(1, "|" + "---|" * len(header))
    return "\n".join(written)


def grouped(records: Iterable[Record], *keys: str) -> list[tuple[tuple[Any, ...], list[Record]]]:
    """Return the records by the values of some of their fields, in order of appearance."""
    groups: dict[tuple[Any, ...], list[Record]] = {}
    for record in records:
        groups.setdefault(tuple(record[key] for key in keys), []).append(record)
    return list(groups.items())


def tally(records: Sequence[Record], holds: Callable[[Record], bool]) -> str:
    """Return for how many of the records something holds.

    >>> tally([{"k": 1}, {"k": 2}], lambda record: record["k"] == 2)
    '1 of 2'
    """
    return f"{sum(map(holds, records))} of {len(records)}"


def mean(records: Sequence[Record], key: str, form: str = ".2f") -> str:
    """Return the mean of a field, or a dash where no record has it.

    >>> mean([{"k": 1}, {"k": 2}], "k"), mean([{"k": 1}], "passes")
    ('1.50', '–')
    """
    values = [record[key] for record in records if record.get(key) is not None]
    return format(fmean(values), form) if values else "–"


def span(values: Iterable[float], form: str = "") -> str:
    """Return the least and the greatest value, once if they read the same.

    >>> span([3, 5, 4]), span([2.01, 2.02], ".1f")
    ('3 to 5', '2.0')
    """
    ordered = sorted(values)
    return " to ".join(dict.fromkeys(format(value, form) for value in (ordered[0], ordered[-1])))


def placed(page: str, name: str, title: str, body: str) -> str:
    """Return the page with the body between the markers of `name`, which are added if absent.

    >>> print(placed("# Page\\n", "speed", "How fast", "fast"))
    # Page
    <BLANKLINE>
    ## How fast
    <BLANKLINE>
    <!-- begin speed -->
    fast
    <!-- end speed -->
    <BLANKLINE>
    """
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    if begin not in page:
        page = f"{page.rstrip()}\n\n## {title}\n\n{begin}\n{end}\n"
    section = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", flags=re.DOTALL)
    body = body.strip() + "\n" if body else ""
    return section.sub(lambda _: f"{begin}\n{body}{end}", page)
