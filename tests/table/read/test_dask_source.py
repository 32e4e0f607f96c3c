"""Partitions of Dask's tables as rows."""

import numpy as np
import pandas as pd
import pytest

from galileomix._table import Folder, Rules, open_table, prepare
from galileomix.errors import TableError, TableTypeError

dask_frames = pytest.importorskip("dask.dataframe", reason="dask is not installed")
dask_arrays = pytest.importorskip("dask.array", reason="dask is not installed")

FRAME = pd.DataFrame({"odor": ["none", "foul", None] * 40, "width": np.arange(120) / 8})


def prepared(table):
    with Folder() as folder:
        return prepare(open_table(table), folder, Rules(10**8))


@pytest.mark.parametrize("n_partitions", [1, 7])
def test_a_frame_is_the_same_table_in_any_partitions(n_partitions):
    expected, found = (
        prepared(table) for table in (FRAME, dask_frames.from_pandas(FRAME, n_partitions))
    )
    assert found.schema == expected.schema and found.named
    [block], [same] = found.blocks, expected.blocks
    assert np.array_equal(block.codes, same.codes)
    assert np.array_equal(block.numbers, same.numbers)


def test_an_array_is_read_by_rows():
    numbers = np.random.default_rng(0).normal(size=(50, 3))
    found = prepared(dask_arrays.from_array(numbers, chunks=(20, 2)))
    assert found.schema == prepared(numbers).schema and not found.named


def test_partitions_may_be_empty():
    partitions = dask_frames.from_pandas(FRAME, 4)
    found = prepared(partitions[partitions["width"] > 10])
    assert len(found.blocks[0]) == (FRAME["width"] > 10).sum()
    with pytest.raises(TableError, match="0 sample"):
        prepared(partitions[partitions["width"] > 1000])


def test_errors_name_the_partition():
    broken = FRAME.assign(width=np.where(FRAME.index == 100, np.inf, FRAME["width"]))
    with pytest.raises(TableError, match=r"'partition 1', column 'width', row 40: "):
        prepared(dask_frames.from_pandas(broken, 2))


def test_a_series_is_no_table():
    with pytest.raises(TableError, match="must have two dimensions"):
        open_table(dask_frames.from_pandas(FRAME, 2)["odor"])


def test_what_is_no_table_of_dask_is_refused():
    bag, delayed = pytest.importorskip("dask.bag"), pytest.importorskip("dask.delayed")
    for given in (bag.from_sequence([{"a": 1}]), delayed.delayed(FRAME)):
        with pytest.raises(TableTypeError, match="of Dask is no table: make a frame of it"):
            open_table(given)
