"""Take the pictures of reports in docs/images: ``python -m benchmarks.report_pictures``.

The first is that of the README: the map of the clusters of mushrooms.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks.browser import chromium
from benchmarks.common import TABLES, load
from galileomix import Galileo

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
COLOURS = 128
"""Few colours are enough for a page, and keep the files small."""


def main() -> None:
    """Fit the paper's tables, and take pictures of their reports."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for name in TABLES:
            path = Path(folder) / f"{name}.html"
            Galileo(random_state=0).fit(load(name)).report(load(name), name=name).save(path)
            take(browser, path, f"report-{name}.png", WIDE)
            take(browser, path, f"report-{name}-narrow.png", NARROW)
        take_map(browser, Path(folder) / "mushroom.html")


def take(browser: Any, report: Path, name: str, viewport: dict[str, int]) -> None:
    """Take a picture of what one sees first."""
    page = browser.new_page(viewport=viewport)
    page.goto(report.as_uri())
    save(page.screenshot(), name)
    page.close()


def take_map(browser: Any, report: Path) -> None:
    """Take the picture of the README: the summary and the whole map."""
    page = browser.new_page(viewport=WIDE, device_scale_factor=1.5)
    page.goto(report.as_uri())
    low = page.locator("#map").bounding_box()
    height = low["y"] + low["height"] + 24
    page.set_viewport_size({"width": WIDE["width"], "height": round(height)})
    page.locator(".map td[data-cluster='2']").first.hover()
    save(page.screenshot(clip={"x": 0, "y": 50, "width": 1280, "height": height - 50}), "map.png")
    page.close()


def save(picture: bytes, name: str) -> None:
    """Keep a picture, in few colours."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)


if __name__ == "__main__":
    main()
