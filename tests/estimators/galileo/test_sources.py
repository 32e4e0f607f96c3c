"""Fitting from files and streams: the same bits as in memory, and nothing left behind."""

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from galileomix import Csv, Galileo, GalileoWarning, ParameterError, Progress, TableError
from galileomix._table import BLOCK_ROWS

N = BLOCK_ROWS + 800


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    kind = rng.integers(0, 3, N)
    noise = rng.random((3, N)) < 0.15
    return pd.DataFrame(
        {
            "color": np.where(noise[0], "grey", np.array(["red", "green", "blue"])[kind]),
            "size": np.where(noise[1], 9, kind),
            "mark": np.where(noise[2], "?", np.array(["a", "b", "b"])[kind]),
            "width": np.round(3.0 * kind + rng.normal(size=N), 2),
        }
    )


FRAME = frame()
TABLE = pa.Table.from_pandas(FRAME)
PARTS = [TABLE[:3000], TABLE[3000:8500], TABLE[8500:]]
PARAMETERS: dict[str, Any] = {"max_components": 4, "random_state": 0, "refine": False}


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture(scope="module")
def in_memory() -> Galileo:
    return Galileo(**PARAMETERS).fit(FRAME)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for number, part in enumerate(PARTS):
        csv.write_csv(part, tmp_path / f"{number}.csv")
        parquet.write_table(part, tmp_path / f"{number}.parquet")
    return tmp_path


@pytest.mark.parametrize("kind", ["csv", "parquet", "batches"])
@pytest.mark.parametrize("memory_limit", [1, "1GB"])
def test_the_same_bits_as_in_memory(
    kind: str, memory_limit: Any, files: Path, in_memory: Galileo, temporary: Path
) -> None:
    batches = (batch for part in PARTS for batch in part.to_batches())
    source = batches if kind == "batches" else str(files / f"*.{kind}")
    model = Galileo(**PARAMETERS, memory_limit=memory_limit).fit(source)
    assert model.schema_ == in_memory.schema_
    for k in in_memory.path_.sizes:
        for name in ("alpha", "p", "mu"):
            ours, theirs = (getattr(each._model.mixtures[k], name) for each in (model, in_memory))
            np.testing.assert_array_equal(ours, theirs)
    assert model.path_ == in_memory.path_
    np.testing.assert_array_equal(model.labels_, in_memory.labels_)
    assert not list(temporary.iterdir())


def test_prediction_reads_files_in_chunks(files: Path, in_memory: Galileo) -> None:
    for source in (str(files / "*.csv"), [files / f"{n}.parquet" for n in range(3)], iter(PARTS)):
        np.testing.assert_array_equal(in_memory.predict(source), in_memory.labels_)
    expected = in_memory.score_samples(FRAME)
    np.testing.assert_array_equal(in_memory.score_samples(str(files / "*.csv")), expected)
    assert in_memory.predict_proba(files / "0.csv").shape == (3000, in_memory.n_components_)


def test_unseen_values_of_all_chunks_are_counted_in_one_warning(in_memory: Galileo) -> None:
    odd = FRAME[:10].assign(color=["pink"] * 2 + ["red"] * 8)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        in_memory.predict(iter([odd, odd]))
    [told] = caught
    assert "column 'color': 4 cells with values never seen in fit ('pink'), ignored" in str(
        told.message
    )
    assert told.filename == __file__


def test_warnings_name_the_line_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("a,b\né,x\nu,y\n".encode("latin-1") * 1 + b"u,y\n" * 30)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = Galileo(2, random_state=0).fit(path)
        model.predict(path)
        model.fit(pd.DataFrame({"a": ["x"] * 9, "b": ["u", "v", "w"] * 3}))
    assert len([each for each in caught if "cp1252" in str(each.message)]) == 2
    assert {each.filename for each in caught} == {__file__}


@pytest.mark.parametrize("memory_limit", [1, None])
def test_zero_weights_leave_no_trace_but_are_labelled(files: Path, memory_limit: Any) -> None:
    weights = (np.arange(N) % 4 > 0).astype(float)
    kept = Galileo(**PARAMETERS).fit(FRAME[weights > 0])
    model = Galileo(**PARAMETERS, memory_limit=memory_limit)
    model.fit(str(files / "*.csv"), sample_weight=weights)
    assert model.path_ == kept.path_
    assert len(model.labels_) == N
    np.testing.assert_array_equal(model.labels_[weights > 0], kept.labels_)


def test_nothing_is_left_after_an_error_or_an_interruption(files: Path, temporary: Path) -> None:
    def interrupt(step: Progress) -> None:
        if step.phase == "annealing":
            assert list(temporary.iterdir())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Galileo(**PARAMETERS, memory_limit=1, progress=interrupt).fit(str(files / "*.csv"))
    assert not list(temporary.iterdir())
    with open(files / "2.csv", "a") as file:
        file.write("one,two\n")
    with pytest.raises(TableError, match=r"2.csv', line \d+: 2 fields where the header"):
        Galileo(**PARAMETERS, memory_limit=1).fit(str(files / "*.csv"))
    broken = iter([*PARTS, pa.table({"color": ["red"]})])
    with pytest.raises(TableError, match=r"row \d+ has no column 'mark', 'size', 'width'"):
        Galileo(**PARAMETERS, memory_limit=1).fit(broken)
    assert not list(temporary.iterdir())


def test_progress_tells_of_reading_and_of_the_search(files: Path, capsys: Any) -> None:
    told: list[Any] = []
    Galileo(**PARAMETERS, progress=told.append).fit(files / "0.csv")
    phases = list(dict.fromkeys(step.phase for step in told))
    assert phases[:3] == ["reading", "encoding", "annealing"]
    assert phases[-1] == "fitted"
    told.clear()
    Galileo(**PARAMETERS, progress=told.append).fit(FRAME)
    assert told[0].phase == "annealing"
    Galileo(**PARAMETERS, progress=True).fit(files / "0.csv")
    assert "reading: 3,000 rows" in capsys.readouterr().err


def test_text_that_means_missing(tmp_path: Path) -> None:
    csv.write_csv(TABLE, tmp_path / "t.csv")
    holes = FRAME.assign(mark=FRAME["mark"].where(FRAME["mark"] != "?", None))
    expected = Galileo(**PARAMETERS).fit(holes)
    for source in (FRAME, tmp_path / "t.csv", TABLE, FRAME.to_dict("list")):
        model = Galileo(**PARAMETERS, missing_values=["?"]).fit(source)
        assert model.schema_ == expected.schema_
        assert model.path_ == expected.path_
        np.testing.assert_array_equal(model.predict(source), expected.labels_)
    for wrong in ("?", [1]):
        with pytest.raises(ParameterError, match="missing_values"):
            Galileo(missing_values=wrong).fit(FRAME)  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", ["quantile", "width", ("quantile", 3), {"width": [1.5, 4.5]}])
def test_numbers_as_intervals(rule: Any, tmp_path: Path) -> None:
    csv.write_csv(TABLE, tmp_path / "t.csv")
    model = Galileo(**PARAMETERS, discretize=rule).fit(FRAME)
    again = Galileo(**PARAMETERS, discretize=rule, memory_limit=1).fit(tmp_path / "t.csv")
    assert model.schema_ == again.schema_
    assert model.path_ == again.path_
    attribute = model.schema_.categorical[-1]
    assert not model.schema_.numeric
    np.testing.assert_array_equal(model.predict(FRAME), model.labels_)
    drawn, _ = model.sample(50)
    assert set(drawn["width"]) <= set(attribute.values)
    assert isinstance(model.components()[0].name, str)
    beyond = FRAME[:2].assign(width=[-1e9, 1e9])
    assert np.isfinite(model.score_samples(beyond)).all()


def test_integers_are_cut_where_edges_are_given() -> None:
    model = Galileo(**PARAMETERS, discretize={"size": [1, 5]}).fit(FRAME)
    assert model.schema_.categorical[1].values == ("< 1", "[1, 5)", ">= 5")
    with pytest.raises(ParameterError, match="discretize names 'weight'"):
        Galileo(discretize={"weight": [1]}).fit(FRAME)


def test_csv_options(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    csv.write_csv(TABLE, path, csv.WriteOptions(include_header=False, delimiter=";"))
    model = Galileo(**PARAMETERS).fit(Csv(path, separator=";", header=False))
    assert model.schema_.names == ("x0", "x1", "x2", "x3")
    assert not hasattr(model, "feature_names_in_")
    with pytest.warns(GalileoWarning, match="looks like data"):
        Galileo(**PARAMETERS).fit(path)
