"""The example notebook, executed: no cell fails, and each shows something."""

import pytest

pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def test_the_notebook_runs():
    from benchmarks.notebook import executed

    cells = [cell for cell in executed().cells if cell.cell_type == "code"]
    shown = [{name for out in cell.outputs for name in out.get("data", {})} for cell in cells]
    for cell, types in zip(cells, shown, strict=True):
        wanted = "image/png" if "plot" in cell.source else "text/html"
        assert wanted in types, cell.source
