"""Progress in a notebook, run by a kernel as a person's would be."""

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks cannot be run here")
nbclient = pytest.importorskip("nbclient", reason="notebooks cannot be run here")
pytest.importorskip("ipykernel", reason="notebooks cannot be run here")

CODE = """
from galileomix import Galileo
from galileomix.datasets import load_zoo
model = Galileo(random_state=0, progress=True).fit(load_zoo().data)
"""


def test_a_cell_has_one_bar_that_is_full_in_the_end():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CODE)])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    [bar] = [out for out in notebook.cells[0].outputs if out.output_type == "display_data"]
    assert 'value="1.000"' in bar.data["text/html"]
    assert "fitted: 4 clusters, BIC 1710.56" in bar.data["text/html"]
    assert bar.data["text/plain"].startswith("fitted: 4 clusters")
