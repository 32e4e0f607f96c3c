"""Draw the pictures of the documents: ``make pictures``, or ``python -m benchmarks.pictures``.

They are what `galileomix.plots` draws of the bundled tables, so they are never out of date. The
figures of the reproduction are drawn again from the numbers beside them.
"""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from matplotlib import pyplot
from PIL import Image

from galileomix import Galileo, GalileoDetector, plots
from galileomix._reproduce import item_figure
from galileomix._reproduce.item import Chart, Item, Series
from galileomix.datasets import load_mushroom, load_votes, load_zoo
from galileomix.errors import ConstantColumnWarning

DOCS = Path(__file__).parents[1] / "docs"
COLORS = 128
"""Of a picture: enough for flat shades and smooth text."""
EVERY = 500
"""In the picture of surprise one record in so many has a wrong cell."""

Draw = Callable[[], Any]


def pictures() -> Iterator[tuple[str, Draw]]:
    """Yield the names of the pictures, and what draws each."""
    mushroom, zoo = load_mushroom().data, load_zoo().data
    densest = Galileo(criterion="density", random_state=0).fit(mushroom)
    yield "profile", lambda: plots.profile(densest)
    model = Galileo(random_state=0).fit(mushroom)
    yield "path", lambda: plots.path(model)
    yield "sizes", lambda: plots.sizes(model)
    yield "cluster", lambda: plots.cluster(model, 1)
    yield "attribute", lambda: plots.attribute(model, "odor")
    yield "attributes", lambda: plots.attributes(model)
    yield "dependence", lambda: plots.dependence(model)
    yield "search", lambda: plots.search(model)
    table, share = _with_wrong_cells(mushroom)
    detector = GalileoDetector(Galileo(random_state=0), contamination=share).fit(table)
    yield "surprise", lambda: plots.surprise(detector.scores_, detector.offset_)
    votes = load_votes().data
    yield "certainty", lambda: plots.certainty(Galileo(random_state=0).fit(votes), votes)
    animals = Galileo(random_state=0).fit(zoo)
    yield "stability", lambda: animals.plot_stability(zoo, n_resamples=20)


def _with_wrong_cells(table: Any) -> tuple[Any, float]:
    """Return the table with a few odors exchanged for another, and the share of such rows."""
    wrong = table.index % EVERY == 0
    other = table["odor"].map({"none": "foul"}).fillna("none")
    return table.assign(odor=table["odor"].mask(wrong, other)), (wrong.sum() + 0.5) / len(table)


def redraw(file: Path) -> None:
    """Draw a figure of the reproduction from its numbers."""
    found = json.loads(file.read_text(encoding="utf-8"))
    charts = tuple(
        Chart(**chart | {"series": tuple(Series(**series) for series in chart["series"])})
        for chart in found["charts"]
    )
    texts = (found[name] for name in ("name", "title", "source", "about"))
    item_figure.draw(Item(*texts, claims=(), charts=charts), file.with_suffix(".png"))


def save(draw: Draw, path: Path) -> None:
    """Draw a picture into a small file; the same numbers give the same bytes."""
    figure, drawn = draw().figure, io.BytesIO()
    figure.savefig(drawn, dpi=90, metadata={"Software": None})
    pyplot.close(figure)
    path.write_bytes(smaller(drawn.getvalue()))


def smaller(png: bytes) -> bytes:
    """Return a picture with few colours, in a third of the bytes."""
    written = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLORS).save(written, "PNG", optimize=True)
    return written.getvalue()


def main() -> None:
    """Draw all pictures."""
    pyplot.switch_backend("Agg")
    warnings.simplefilter("ignore", ConstantColumnWarning)
    for name, draw in pictures():
        save(draw, DOCS / "images" / f"{name}.png")
        print(f"docs/images/{name}.png")
    for file in sorted((DOCS / "reproduction").glob("*.json")):
        redraw(file)
        print(f"docs/reproduction/{file.stem}.png")


if __name__ == "__main__":
    main()
