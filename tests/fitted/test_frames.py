"""What is answered about a frame comes in its own library."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from galileomix import Galileo, GalileoDetector
from galileomix._fitted.frames import Cells, like, with_cells


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    a = rng.choice(["x", "y"], 200)
    frame = pd.DataFrame({"a": a, "w": np.where(a == "x", 1.0, 9.0) + rng.normal(size=200)})
    frame["n"] = pd.Series(np.where(a == "x", 20, 70) + rng.integers(0, 9, 200), dtype="Int64")
    frame.loc[:9, "a"] = None
    frame.loc[5:14, ["w", "n"]] = None
    return frame


@pytest.fixture(scope="module")
def model(table):
    return Galileo(n_components=2, random_state=0, numeric=["n"]).fit(table)


def to_pandas(frame):
    return frame.to_pandas() if hasattr(frame, "to_pandas") else frame


LIBRARIES = {
    "pandas": (lambda frame: frame, pd.DataFrame, pd.Series),
    "polars": (pl.from_pandas, pl.DataFrame, pl.Series),
    "lazy polars": (lambda frame: pl.from_pandas(frame).lazy(), pl.DataFrame, pl.Series),
    "arrow": (lambda frame: pa.Table.from_pandas(frame), pa.Table, pa.ChunkedArray),
    "a batch": (lambda frame: pa.RecordBatch.from_pandas(frame), pa.Table, pa.ChunkedArray),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_impute(model, table, library):
    convert, kind, _ = LIBRARIES[library]
    more = table.assign(when=pd.Timestamp("2020-02-03"))
    filled, cells = model.impute(convert(more), return_cells=True)
    assert isinstance(filled, kind) and isinstance(cells, kind)
    expected, listed = model.impute(more, return_cells=True)
    found = to_pandas(filled)
    assert list(found) == list(more) and found.notna().all(axis=None)
    assert found["n"].astype(int).tolist() == expected["n"].astype(int).tolist()
    assert found["w"].tolist() == pytest.approx(expected["w"].tolist())
    assert to_pandas(cells)["row"].tolist() == listed["row"].tolist()
    drawn = model.impute(convert(more), n_draws=2)
    assert all(isinstance(one, kind) for one in drawn)


def test_types_stay(model, table):
    """Also of columns that are filled, and of those that the model does not know."""
    frame = pl.from_pandas(table).with_columns(
        pl.col("a").cast(pl.Categorical), other=pl.lit("u").cast(pl.Enum(["u", "v"]))
    )
    assert model.impute(frame).schema == frame.schema
    arrow = pa.Table.from_pandas(table.astype({"a": "category"}), preserve_index=False)
    assert model.impute(arrow).schema.types == arrow.schema.types
    assert model.impute(table)["n"].dtype == "Int64"


@pytest.mark.parametrize("library", LIBRARIES)
def test_explain(model, table, library):
    convert, kind, series = LIBRARIES[library]
    detector = GalileoDetector(Galileo(n_components=2, random_state=0, numeric=["n"])).fit(table)
    for judge in (model, detector):
        found, expected = judge.explain(convert(table)), judge.explain(table)
        assert isinstance(found.surprise, kind) and isinstance(found.p_value, series)
        assert len(found) == len(table) and repr(found) == repr(expected)
        assert [str(reason) for reason in found.reasons(20)] == [
            str(reason) for reason in expected.reasons(20)
        ]
        few = found.to_frame(most=1)
        assert isinstance(few, kind)
        assert to_pandas(few)["attribute"].tolist() == expected.to_frame(1)["attribute"].tolist()


def test_other_tables_are_answered_in_pandas(model, table):
    rows = table.astype(object).where(table.notna(), None).to_numpy().tolist()
    assert isinstance(model.impute(rows), pd.DataFrame)
    assert isinstance(model.explain(rows).surprise, pd.DataFrame)


def test_cells_of_every_type_can_be_filled():
    frame = pl.DataFrame(
        {
            "when": [datetime.date(2020, 1, 1), None],
            "yes": [True, None],
            "x": [0.5, None],
        }
    )
    new = {0: datetime.datetime(2020, 1, 2), 1: False, 2: ">= 5"}
    for given in (frame, frame.to_arrow(), frame.to_pandas()):
        filled = with_cells(given, {m: Cells(np.array([1]), [v]) for m, v in new.items()})
        found = to_pandas(filled)
        assert str(found["when"][1]).startswith("2020-01-02") and not found["yes"][1]
        assert found["x"].astype(str).tolist() == ["0.5", ">= 5"]


def test_values_of_several_types_become_text():
    found = like(pl.DataFrame(), pd.DataFrame({"a": pd.Series([1, "x", None], dtype=object)}))
    assert found["a"].to_list() == ["1", "x", None]


def test_a_column_of_python_objects_stays_one():
    """Of which Arrow knows nothing."""
    table = pl.DataFrame(
        {
            "c": pl.Series(["red", 1, 1, b"red", None, "red"] * 20, dtype=pl.Object),
            "d": ["x", "y", "y", "x", "x", "x"] * 20,
        }
    )
    filled = Galileo(random_state=0, effort=0.1).fit(table).impute(table)
    assert filled["c"].dtype == pl.Object
    assert filled["c"].to_list()[:6] == ["red", 1, 1, b"red", "red", "red"]
