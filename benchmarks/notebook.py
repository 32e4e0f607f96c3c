"""Run the example notebook and store what it shows: a part of ``make pictures``."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from benchmarks.pictures import smaller

NOTEBOOK = Path(__file__).parents[1] / "docs" / "example.ipynb"
LONGEST = 300
"""Seconds that a cell may take."""
NOT_STORED = "<p>Run this cell to see the report here.</p>"
"""In the place of a page that is large, says when it was made, and is not shown on GitHub."""


def executed() -> Any:
    """Return the notebook with what its cells show; messages on stderr are left out."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=LONGEST, kernel_name="python3", record_timing=False).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [out for out in cell.outputs if out.get("name") != "stderr"]
            for out in cell.outputs:
                _shorten(out.get("data", {}))
    return notebook


def _shorten(shown: Any) -> None:
    """Store a picture in fewer bytes, and no report."""
    if "<iframe" in shown.get("text/html", ""):
        shown["text/html"] = NOT_STORED
    if "image/png" in shown:
        picture = smaller(base64.b64decode(shown["image/png"]))
        shown["image/png"] = base64.b64encode(picture).decode()


def main() -> None:
    """Run the notebook in its place."""
    nbformat.write(executed(), NOTEBOOK)
    print("docs/example.ipynb")


if __name__ == "__main__":
    main()
