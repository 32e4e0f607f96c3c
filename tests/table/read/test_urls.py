"""Tables that are named by URLs."""

import os
import pickle

import pandas as pd
import pytest
from pyarrow import dataset

from galileomix import Galileo
from galileomix._table import open_table
from galileomix.errors import TableError

FRAME = pd.DataFrame({"a": list("xyxy"), "b": [1.5, 2.0, 3.0, 4.0]})


def cells(table):
    source = open_table(table)
    return source.names, sum(chunk.columns.n_rows for chunk in source.chunks())


@pytest.mark.parametrize("name", ["part.parquet", "part.csv", "*.parquet", ""])
def test_files_of_this_machine(tmp_path, name):
    FRAME.to_parquet(tmp_path / "part.parquet")
    if name == "part.csv":
        FRAME.to_csv(tmp_path / "part.csv", index=False)
    assert cells(f"file://{tmp_path}/{name}") == (("a", "b"), 4)


@pytest.fixture(scope="module")
def memory():
    """A filesystem that Arrow does not know, and fsspec does, with two files."""
    fsspec = pytest.importorskip("fsspec")
    filesystem = fsspec.filesystem("memory")
    for name in ("first", "second"):
        with filesystem.open(f"/claims/{name}.parquet", "wb") as file:
            FRAME.to_parquet(file)
        with filesystem.open(f"/claims/{name}.csv", "wb") as file:
            FRAME.to_csv(file, index=False)
    yield
    filesystem.rm("/claims", recursive=True)


@pytest.mark.parametrize(
    ("url", "n_rows"),
    [("memory://claims/first.parquet", 4), ("memory://claims/*.parquet", 8)],
)
def test_files_elsewhere(memory, url, n_rows):
    assert cells(url) == (("a", "b"), n_rows)


def test_a_fit_of_files_elsewhere_is_that_of_the_frame(memory):
    parameters = {"max_components": 2, "categorical": ["a"], "random_state": 0}
    there = Galileo(**parameters).fit("memory://claims/*.parquet")
    here = Galileo(**parameters).fit(pd.concat([FRAME, FRAME]))
    assert (there.weights_ == here.weights_).all() and (there.labels_ == here.labels_).all()


def test_files_can_be_read_apart_by_workers(memory):
    source = open_table("memory://claims/*.parquet")
    parts = pickle.loads(pickle.dumps(source.apart()))
    rows = [[chunk.columns.n_rows for chunk in part.chunks()] for part in parts]
    assert rows == [[4], [4]]


def test_a_file_that_a_worker_does_not_have_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FRAME.to_parquet("here.parquet")
    for table in ("here.parquet", dataset.dataset(str(tmp_path))):
        (part,) = open_table(table).apart()
        os.rename("here.parquet", "elsewhere.parquet")
        with pytest.raises(TableError, match=f"'{tmp_path}/here.parquet': a worker .* cannot open"):
            list(part.chunks())
        os.rename("elsewhere.parquet", "here.parquet")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("memory://claims/none.parquet", "no such files"),
        ("memory://claims/*.orc", "no such files"),
        ("memory://claims/first.csv", "only Parquet or Feather"),
        ("nonsense://claims/a.parquet", "cannot be opened"),
        ("file:///nowhere/a.parquet", "no such file"),
        ("reference://x", "cannot be opened: ReferenceFileSystem"),
    ],
)
def test_what_cannot_be_read_is_said(memory, url, said):
    with pytest.raises(TableError, match=said):
        open_table(url)
