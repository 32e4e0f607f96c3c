"""What was asked for, and what was measured: the first table of docs/performance.md."""

from __future__ import annotations

from typing import Any, NamedTuple

from benchmarks.common import Record
from benchmarks.pages import Page
from benchmarks.render import table

TITLE = "What was asked for"
INTRO = """\
# Performance

`make bench` (`python -m benchmarks.speed`) measures every figure here in one run on one machine,
keeps the records in `benchmarks/results.json` and writes the tables below between their markers;
`python -m benchmarks.speed --render` writes them again from what was kept. `make bench-quick` does
the same on small tables in under three minutes and writes no tracked file.

Times differ from machine to machine and from hour to hour, so what counts are ratios, each against
a rival measured in the same run. A *cell* is one row x one component x one attribute of an EM pass
(E-step and expected counts). Passes and short fits are repeated, ours and theirs in turn, and the
best of each is taken. Kernels are compiled before the clock starts, except where starting up is
what is measured. Whole fits and passes of the default search were measured with the search before
this one, and are to be measured again.
"""


class Bar(NamedTuple):
    """One thing asked for: what, how much, what was measured, and whether that is enough."""

    what: str
    bar: str
    found: str
    met: bool


def render(page: Page, kept: dict[str, Record]) -> str:
    """Show what was asked for of the benchmarks that were run, as Markdown."""
    found = [bar for name in page.names if name in kept for bar in bars(page, name, kept[name])]
    rows: list[list[Any]] = [
        [bar.what, bar.bar, bar.found, "yes" if bar.met else "no"] for bar in found
    ]
    return table(["what", "asked for", "measured", "met"], rows) if rows else ""


def bars(page: Page, name: str, kept: Record) -> list[Bar]:
    """Return what was asked for of one benchmark."""
    return page.benchmark(name).bars(kept["records"])


def ratio(value: float) -> str:
    """Return how many times, with as many digits as mean something.

    >>> ratio(1.234), ratio(12.34), ratio(1234.5)
    ('1.23x', '12.3x', '1234x')
    """
    return f"{value:.2f}x" if value < 10 else f"{value:.1f}x" if value < 100 else f"{value:.0f}x"


def thousands(number: float) -> str:
    """Return a whole number that reads easily.

    >>> thousands(1e6)
    '1 000 000'
    """
    return f"{int(number):,}".replace(",", " ")
