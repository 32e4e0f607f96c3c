"""Tables that are written: exact, and in pieces."""

import io
import json
import math
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from galileomix._cli.output import Format, open_writer, write_frame

FORMATS: list[Format] = ["csv", "tsv", "jsonl", "parquet"]


def read(path):
    readers = {
        ".csv": lambda path: pd.read_csv(path, converters={"x": float}),
        ".tsv": lambda path: pd.read_csv(path, sep="\t", converters={"x": float}),
        ".jsonl": lambda path: pd.DataFrame(map(json.loads, path.read_text().splitlines())),
        ".parquet": pd.read_parquet,
    }
    return readers[path.suffix](path)


@pytest.mark.parametrize("format", FORMATS)
def test_pieces_with_other_codes_are_one_table(format, tmp_path):
    """A column coded by a dictionary has other codes in every piece."""
    path = tmp_path / f"out.{format}"
    pieces = [["b", "a"], ["c", "b"], ["a", None]]
    with open_writer(str(path), format) as writer:
        for number, texts in enumerate(pieces):
            column = pa.array(texts).dictionary_encode()
            writer.write(pa.table({"text": column, "number": [number, number]}))
    found = read(path)
    assert found["number"].tolist() == [0, 0, 1, 1, 2, 2]
    assert found["text"].fillna("").tolist() == ["b", "a", "c", "b", "a", ""]


@pytest.mark.parametrize("format", FORMATS)
def test_numbers_keep_every_bit(format, tmp_path):
    rng = np.random.default_rng(0)
    numbers = np.concatenate([rng.normal(size=200), rng.random(200) * 1e-300, [0.1 + 0.2, 1e308]])
    whole = [2**53 + 1, -(2**63), 2**63 - 1] * 134
    path = tmp_path / f"out.{format}"
    write_frame(pd.DataFrame({"x": numbers, "n": whole}), str(path), format == "jsonl")
    found = read(path)
    assert found["x"].tolist() == numbers.tolist()
    assert found["n"].tolist() == whole


def test_json_has_null_where_there_is_no_number(tmp_path):
    path = tmp_path / "out.jsonl"
    write_frame(pd.DataFrame({"x": [math.inf, -math.inf, math.nan, 1.5]}), str(path), True)
    assert path.read_text().splitlines() == ['{"x": null}'] * 3 + ['{"x": 1.5}']


@settings(max_examples=50)
@given(texts=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0")), min_size=1))
def test_csv_gives_text_back(texts):
    import csv

    from galileomix._cli.output import _CsvWriter

    file = io.BytesIO()
    writer = _CsvWriter(file, ",")
    writer.write(pa.table({"a": texts, "b": [1] * len(texts)}))
    rows = list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))
    assert rows[0] == ["a", "b"]
    for text, (found, one) in zip(texts, rows[1:], strict=True):
        assert (found, one) == (text, "1")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "out.parquet"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), open_writer(str(path), "parquet") as writer:
        writer.write(pa.table({"a": [1]}))
        raise ZeroDivisionError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_values_of_several_types_are_written_as_text(tmp_path):
    path = tmp_path / "out.csv"
    write_frame(pd.DataFrame({"a": [1, "x", None]}, dtype=object), str(path), False)
    assert path.read_text() == 'a\n1\nx\n""\n'


def test_quotes_stand_only_where_they_are_needed_in_every_piece(tmp_path):
    path = tmp_path / "out.csv"
    with open_writer(str(path), "csv") as writer:
        writer.write(
            pa.table({"name": ["plain", "two words"], "n": ["1", "2.5"], "x": [0.5, None]})
        )
        writer.write(pa.table({"name": ["a, b", 'say "no"'], "n": ["3", ""], "x": [None, 1.0]}))
    assert path.read_text().splitlines() == [
        "name,n,x",
        "plain,1,0.5",
        "two words,2.5,",
        '"a, b",3,',
        '"say ""no""",,1',
    ]


def test_a_row_of_one_missing_cell_is_a_row(tmp_path):
    path = tmp_path / "out.csv"
    write_frame(pd.DataFrame({"a": ["x", None, "y"]}), str(path), False)
    assert pd.read_csv(path, skip_blank_lines=True)["a"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_columns_of_every_type_can_be_written(format, tmp_path):
    table = pa.table(
        {
            "when": pa.array([0, None], pa.timestamp("s")),
            "long": pa.array([90, None], pa.duration("s")),
            "bytes": pa.array([b"\xff", None]),
            "list": pa.array([[1, 2], None]),
            "yes": pa.array([True, None]),
        }
    )
    path = tmp_path / f"out.{format}"
    with open_writer(str(path), format) as writer:
        writer.write(table)
    found = pd.read_csv(path, sep="," if format == "csv" else "\t")
    assert found["when"][0] == "1970-01-01 00:00:00" and found["list"][0] == "[1, 2]"
    assert found["yes"].tolist()[:1] == [True] and found.iloc[1].isna().all()


@pytest.mark.parametrize(
    "command",
    [
        ("fit", "TABLE", "-o", "TABLE"),
        ("fit", "TABLE", "--report", "TABLE"),
        ("fit", "FOLDER", "-o", "TABLE"),
        ("report", "MODEL", "TABLE", "-o", "TABLE"),
        ("report", "MODEL", "-o", "MODEL"),
        ("predict", "MODEL", "TABLE", "-o", "TABLE"),
        ("impute", "TABLE", "--model", "MODEL", "-o", "TABLE"),
        ("anomalies", "TABLE", "-o", "TABLE"),
        ("anomalies", "TABLE", "--save", "TABLE"),
        ("sample", "MODEL", "-o", "MODEL"),
    ],
)
def test_what_is_read_is_never_written_over(galileo, zoo_csv, zoo_model, tmp_path, command):
    table, model = tmp_path / "table.csv", tmp_path / "zoo.galileo"
    table.write_bytes(Path(zoo_csv).read_bytes())
    model.write_bytes(Path(zoo_model).read_bytes())
    before = table.read_bytes(), model.read_bytes()
    names = {"TABLE": str(table), "MODEL": str(model), "FOLDER": str(tmp_path)}
    code, _, err = galileo(*(names.get(word, word) for word in command))
    assert code != 0 and len(err.splitlines()) < 5
    assert (table.read_bytes(), model.read_bytes()) == before


def test_a_report_is_a_page(galileo, zoo_model, tmp_path):
    code, _, err = galileo("report", zoo_model, "-o", str(tmp_path / "report.pdf"))
    assert code == 2 and "must end in .html" in err


@pytest.mark.parametrize(
    "command",
    [
        ("fit", "TABLE", "-o", "PIPE"),
        ("fit", "TABLE", "--report", "PIPE.html"),
        ("report", "MODEL", "-o", "PIPE.html"),
        ("predict", "MODEL", "TABLE", "-o", "PIPE.csv"),
        ("impute", "TABLE", "--model", "MODEL", "--cells", "PIPE.csv"),
        ("anomalies", "TABLE", "--save", "PIPE"),
        ("sample", "MODEL", "-o", "PIPE.csv"),
    ],
)
def test_a_pipe_is_refused_before_any_work(galileo, zoo_csv, zoo_model, tmp_path, command):
    *words, name = command
    pipe = tmp_path / name
    os.mkfifo(pipe)
    names = {"TABLE": zoo_csv, "MODEL": zoo_model}
    code, _, err = galileo(*(names.get(word, word) for word in words), str(pipe))
    assert (code, err) == (
        1,
        f"galileo: {str(pipe)!r}: this is a pipe or socket, not a file to write\n",
    )
    assert pipe.is_fifo()
