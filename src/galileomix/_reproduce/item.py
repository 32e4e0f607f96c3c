"""An item of the paper as plain records, which are computed first and shown afterwards."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

from galileomix._progress import Progress, Report
from galileomix._reproduce.claims import WORDS, Cell, Claim, Verdict, overall

Style = Literal["line", "dashes", "dots"]


@dataclass(frozen=True)
class Plan:
    """How much work to do."""

    seeds: int = 50  # runs as published, where one run is not enough
    most_rows: int = 1_000_000  # of the largest generated table
    jobs: int = 1  # processes for the runs as published; -1 for one per processor
    report: Report | None = None  # what is told of progress

    def progress(self, message: str) -> None:
        """Tell that a computation begins."""
        if self.report is not None:
            self.report(Progress(message, 0.0))


@dataclass(frozen=True)
class Grid:
    """A table of numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Series:
    """Values to draw under one name; bars need no ``x``."""

    label: str
    y: tuple[float, ...]
    x: tuple[float, ...] = ()
    style: Style = "line"


@dataclass(frozen=True)
class Chart:
    """One panel of a figure: curves, or bars where ``bars`` names them."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    bars: tuple[str, ...] = ()  # the label of each group of bars
    log: bool = False  # whether both axes are logarithmic
    mark: float | None = None  # where to draw a vertical line


@dataclass(frozen=True)
class Item:
    """A table, a figure or a worked example of the paper beside what we find."""

    name: str  # on the command line
    title: str
    source: str  # where it stands in the paper
    about: str  # what was done, in a few sentences
    claims: tuple[Claim, ...]
    grids: tuple[Grid, ...] = ()
    charts: tuple[Chart, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdicts of all claims, joined."""
        return overall([claim.verdict for claim in self.claims])

    @property
    def tally(self) -> str:
        """How many claims have each verdict, as text."""
        counts = Counter(claim.verdict.word for claim in self.claims)
        plural = {"differs": "differ"}
        return ", ".join(
            f"{counts[word]} {plural.get(word, word) if counts[word] > 1 else word}"
            for word in WORDS
            if counts[word]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain data, for JSON."""
        data = asdict(self)
        for claim, given in zip(data["claims"], self.claims, strict=True):
            claim["verdict"] = str(given.verdict)
        return data | {"verdict": str(self.verdict)}
