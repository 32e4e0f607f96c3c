"""The same table as every type of frame."""

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

NAMES = ["odor", "cap"]
ODOR = ["none", "foul", None, "none", "almond", "foul"]
CAP = ["flat", "bell", "bell", "flat", "flat", None]


INDICES = (
    *(pa.int8(), pa.uint8(), pa.int16(), pa.uint16()),
    *(pa.int32(), pa.uint32(), pa.int64(), pa.uint64()),
)


def arrow(arrow_type: pa.DataType) -> pa.Table:
    plain = pa.table({"odor": ODOR, "cap": CAP})
    return pa.table({name: plain[name].cast(arrow_type) for name in NAMES})


def arrow_dictionary(index: pa.DataType, value: pa.DataType) -> pa.Table:
    return arrow(value).cast(
        pa.schema([(name, pa.dictionary(index, value)) for name in NAMES]), safe=True
    )


def dictionaries_that_differ() -> pa.Table:
    """Chunks whose dictionaries are ordered otherwise, with unused and repeated entries."""
    one = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), ["foul", "none", "musty"])
    two = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), ["none", "almond", "foul"])
    cap = pa.DictionaryArray.from_arrays(
        pa.array([0, 2, 2, 1, 0, 3]), ["flat", "flat", "bell", None]
    )
    return pa.table({"odor": pa.chunked_array([one, two]), "cap": pa.chunked_array([cap])})


def pandas_as(dtype: str) -> pd.DataFrame:
    return pd.DataFrame({"odor": ODOR, "cap": CAP}, dtype=object).astype(dtype)


def polars_as(dtype: Any) -> pl.DataFrame:
    return pl.DataFrame({"odor": ODOR, "cap": CAP}).cast(dtype)


def rows() -> list[list[Any]]:
    return [list(row) for row in zip(ODOR, CAP, strict=True)]


def structured() -> np.ndarray:
    return np.array([tuple(row) for row in rows()], dtype=[("odor", object), ("cap", object)])


def masked() -> np.ma.MaskedArray:
    cells = np.array([["?" if cell is None else cell for cell in row] for row in rows()])
    return np.ma.masked_array(cells, cells == "?")


class HasArray:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(rows(), dtype=object)


class HasStream:
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return arrow(pa.string()).__arrow_c_stream__(requested_schema)


NAMED: dict[str, Callable[[], Any]] = {
    "pandas object": lambda: pd.DataFrame({"odor": ODOR, "cap": CAP}, dtype=object),
    "pandas str": lambda: pandas_as("str"),
    "pandas string": lambda: pandas_as("string"),
    "pandas string[python]": lambda: pandas_as("string[python]"),
    "pandas category": lambda: pandas_as("category"),
    "pandas arrow": lambda: pandas_as("string[pyarrow]"),
    "polars String": lambda: polars_as(pl.String),
    "polars Categorical": lambda: polars_as(pl.Categorical),
    "polars Object": lambda: pl.DataFrame(
        {"odor": pl.Series(ODOR, dtype=pl.Object), "cap": pl.Series(CAP, dtype=pl.Object)}
    ),
    "polars LazyFrame": lambda: polars_as(pl.String).lazy(),
    "arrow string": lambda: arrow(pa.string()),
    "arrow large_string": lambda: arrow(pa.large_string()),
    "arrow string_view": lambda: arrow(pa.string_view()),
    "arrow binary": lambda: arrow(pa.binary()),
    **{
        f"arrow dictionary {index}": lambda index=index: arrow_dictionary(index, pa.string())
        for index in INDICES
    },
    "arrow dictionary of large_string": lambda: arrow_dictionary(pa.int32(), pa.large_string()),
    "arrow dictionary of binary": lambda: arrow_dictionary(pa.int8(), pa.binary()),
    "pandas Arrow dictionary": lambda: arrow_dictionary(pa.int32(), pa.string()).to_pandas(
        types_mapper=pd.ArrowDtype
    ),
    "pandas Arrow large_string": lambda: arrow(pa.large_string()).to_pandas(
        types_mapper=pd.ArrowDtype
    ),
    "pandas category of str": lambda: pandas_as("str").astype("category"),
    "arrow dictionaries that differ": dictionaries_that_differ,
    "arrow chunks": lambda: pa.concat_tables([arrow(pa.string())[:1], arrow(pa.string())[1:]]),
    "arrow record batch": lambda: arrow(pa.string()).to_batches()[0],
    "arrow reader": lambda: arrow(pa.string()).to_reader(),
    "arrow stream": HasStream,
    "structured": structured,
    "dict of lists": lambda: {"odor": ODOR, "cap": CAP},
    "dict of arrays": lambda: {"odor": np.array(ODOR, dtype=object), "cap": pd.Series(CAP)},
    "list of dicts": lambda: [dict(zip(NAMES, row, strict=True)) for row in rows()],
}

UNNAMED: dict[str, Callable[[], Any]] = {
    "numpy object": lambda: np.array(rows(), dtype=object),
    "numpy object Fortran": lambda: np.asfortranarray(np.array(rows(), dtype=object)),
    "numpy masked": masked,
    "lists": rows,
    "tuples": lambda: tuple(map(tuple, rows())),
    "arrays in a list": lambda: [np.array(row, dtype=object) for row in rows()],
    "array-like": HasArray,
}


@pytest.fixture
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place of its own for temporary folders, so that one can see whether any is left."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


@pytest.fixture(params=[*NAMED, *UNNAMED])
def frame(request: pytest.FixtureRequest) -> Any:
    """The table of `ODOR` and `CAP` in one of its forms, and whether that form has names."""
    makers = {**NAMED, **UNNAMED}
    return makers[request.param](), request.param in NAMED
