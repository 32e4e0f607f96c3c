"""Items as files: a figure and the numbers of each, and a page of all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from galileomix._reproduce import item_figure, item_text
from galileomix._reproduce.item import Item


def write_item(item: Item, folder: Path) -> None:
    """Write an item's figure and its numbers, as NAME.png and NAME.json."""
    folder.mkdir(parents=True, exist_ok=True)
    item_figure.draw(item, folder / f"{item.name}.png")
    (folder / f"{item.name}.json").write_text(item_text.to_json([item]) + "\n", encoding="utf-8")


def write_page(items: Sequence[Item], page: Path, folder: Path | None) -> None:
    """Write all items as Markdown, with the figures of the folder if one is given."""
    page.parent.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, str] = {}
    if folder is not None:
        relative = Path(os.path.relpath(folder, page.parent)).as_posix()
        pictures = {item.name: f"{relative}/{item.name}.png" for item in items}
    page.write_text(item_text.page(items, pictures), encoding="utf-8")
