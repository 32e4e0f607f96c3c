"""CSV as found in the wild."""

import bz2
import csv
import gzip
import io
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix import Csv, GalileoWarning, ParameterError, TableError
from galileomix._table import (
    Folder,
    MissingValues,
    Rules,
    TypeChoices,
    align,
    encode,
    open_table,
    over_rows,
    prepare,
    read,
)
from galileomix._table import cells as cells_of
from galileomix._table.read import csv_file
from galileomix._table.read.csv_text import split_rows
from table.helpers import rows_of, schema_of, summary_of, written

AS_WRITTEN = MissingValues.of([], usual=False)
PLAIN = [("x", 1), ("y", 2), ("x", 2)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends_are_found(tmp_path: Path, separator: str, end: str) -> None:
    text = end.join(separator.join(row) for row in (["a", "b"], ["x", "1"], ["y", "2"], ["x", "2"]))
    assert rows_of(written(tmp_path, text)) == PLAIN
    assert rows_of(written(tmp_path, text + end)) == PLAIN


def test_line_ends_may_be_mixed_and_empty_lines_are_skipped(tmp_path: Path) -> None:
    assert rows_of(written(tmp_path, "\n\na,b\r\n\r\nx,1\ny,2\r\n\n\nx,2\n\n")) == PLAIN


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("header", [True, False])
def test_encodings_are_found(tmp_path: Path, encoding: str, header: bool) -> None:
    text = ("naïve,größe\n" if header else "") + "é,1\nü,2\né,2\n"
    path = written(tmp_path, text.encode(encoding))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns = read(Csv(path, header=header))
    assert columns.names == (("naïve", "größe") if header else ("x0", "x1"))
    assert cells_of(columns.columns[0]).tolist() == ["é", "ü", "é"]
    notes = [str(warning.message) for warning in caught]
    assert all("table.csv': this file is not UTF-8 and is read as cp1252" in note for note in notes)
    assert len(notes) == (1 if encoding == "cp1252" else 0)
    assert all(warning.filename == __file__ for warning in caught)


def test_one_byte_far_below_decides_the_encoding(tmp_path: Path) -> None:
    path = written(tmp_path, b"a,b\n" + b"x,1\n" * 2_000_000 + b"\xe9,1\n")
    with pytest.warns(GalileoWarning, match="read as cp1252"):
        columns = read(path)
    assert set(cells_of(columns.columns[0])) == {"x", "é"}


def test_options_are_taken_as_they_are_given(tmp_path: Path) -> None:
    path = written(tmp_path, "x;1,5\ny;2\n".encode("latin-1"))
    given = Csv(path, separator=",", encoding="latin-1", header=False)
    with pytest.raises(TableError, match=r"line 2: 1 field where the first row \(line 1\) has 2"):
        read(given)
    assert rows_of(Csv(written(tmp_path, "x~1\ny~2\n"), separator="~", header=False)) == [
        ("x", 1),
        ("y", 2),
    ]
    assert not read(Csv(path, header=False)).named
    far = written(tmp_path, b"a,b\n" + b"x,1\n" * 300_000 + b"y\xe9,2\n", "far.csv")
    with pytest.raises(TableError, match=r"far.csv', line 300002: .* is not utf-8 text"):
        read(Csv(far, encoding="utf-8"))
    for wrong in (
        {"header": "auto"},
        {"separator": ",,"},
        {"separator": '"'},
        {"encoding": "utf-9"},
    ):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            Csv(path, **wrong)


def test_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n"x,1","he said ""no"""\n"two\r\nlines",z\n')
    assert rows_of(path) == [("x,1", 'he said "no"'), ("two\r\nlines", "z")]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a,b\n1,2\n3\n", 3, "1 field where the header"),
        ("a,b\n1,2\n1,2,3\n", 3, "3 fields where the header"),
        ('a,b\n\n"x\ny",2\n\n3\n', 6, "1 field where the header"),
        ('a,b\n1,"2\n3,4\n5,6,7\n', 2, "2 fields|quote"),
    ],
)
def test_ragged_rows_are_named_by_line(tmp_path: Path, text: str, line: int, found: str) -> None:
    if "quote" in found:
        assert rows_of(written(tmp_path, text)) == [(1, "2\n3,4\n5,6,7\n")]
        return
    with pytest.raises(TableError, match=rf"table.csv', line {line}: {found}"):
        read(written(tmp_path, text))


def test_a_quote_that_is_never_closed_is_suspected(tmp_path: Path) -> None:
    with pytest.raises(
        TableError, match=r"line 2: 1 field where .* has 2.*quote that is never closed"
    ):
        read(written(tmp_path, 'a,b\n"1,2\n3,4\n'))


def test_bad_cells_are_named_by_file_line_and_column(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n"x\n\ny",1.5\n\nz,wide\n')
    numbers = TypeChoices(numeric=["b"])
    with pytest.raises(TableError, match=r"table.csv', line 6, column 'b': 'wide' cannot be read"):
        summary_of(path, choices=numbers)
    path = written(tmp_path, "a,b\nx,1.5\nz,inf\n")
    for choices in (numbers, TypeChoices()):
        with pytest.raises(TableError, match=r"table.csv', line 3, column 'b': inf is infinite"):
            summary_of(path, choices=choices)


def test_names_that_occur_twice(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"table.csv', line 1: 1 column .* more than once: 'a'"):
        read(written(tmp_path, "a,b,a\n1,2,3\n"))


@pytest.mark.parametrize(
    ("text", "doubtful"),
    [
        ("p,x,1\nq,x,2\np,y,1\nq,y,1\n", True),
        ("1.5,2\n2.5,3\n", True),
        ("country,2019,2020\nChile,1,2\nPeru,2,3\n", False),
        ("a,b\n1,2\n", False),
        ("a,b\n,\n", False),
    ],
)
def test_a_first_line_that_looks_like_data(tmp_path: Path, text: str, doubtful: bool) -> None:
    text = text.replace("q,y,1\n", "q,y,1\n")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read(written(tmp_path, text))
    assert any("looks like data" in str(warning.message) for warning in caught) is doubtful


def test_decimal_commas_are_numbers_with_a_note(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b\n1,5;x\n2,25;y\n;x\n")
    with pytest.warns(GalileoWarning, match=r"column 'a': numbers with decimal commas"):
        schema_of(path)
    assert rows_of(path) == [(1.5, "x"), (2.25, "y"), (None, "x")]


def test_compressed(tmp_path: Path) -> None:
    text = b"a;b\nx;1\ny;2\nx;2\n"
    assert rows_of(written(tmp_path, gzip.compress(text), "t.csv.gz")) == PLAIN
    assert rows_of(written(tmp_path, bz2.compress(text), "t.csv.bz2")) == PLAIN
    with pytest.raises(TableError, match=r"t.csv.gz': cannot be read"):
        read(written(tmp_path, gzip.compress(text * 99)[:-20], "t.csv.gz"))


def test_versions_named_categorical_stay_apart(tmp_path: Path) -> None:
    path = written(tmp_path, "version,n\n1.1,2\n1.10,3\n")
    assert rows_of(path, choices=TypeChoices(categorical=["version"])) == [
        ("1.1", 2.0),
        ("1.10", 3.0),
    ]
    assert rows_of(path) == [(1.1, 2), (1.1, 3)]


def encoded(new: Any, fitted: Any) -> list[list[int]]:
    schema = schema_of(fitted)
    source = align(open_table(new), schema, named=True, estimator="Galileo")
    return over_rows(source, schema, lambda block: block.codes, "error").tolist()


def test_what_a_file_means_is_what_the_fitted_table_meant(tmp_path: Path) -> None:
    """Not what the new file alone would mean."""
    text = written(tmp_path, "a,b\n01,true\n1,false\n2,maybe\n", "fit.csv")
    new = written(tmp_path, "b,a\ntrue,1\nfalse,2\n", "new.csv")
    assert encoded(new, text) == [[1, 2], [2, 0]]
    assert encoded(new, {"a": [1, 2, 3], "b": [True, False, True]}) == [[0, 1], [1, 0]]
    assert encoded(new, {"a": [1.0, 2.0], "b": ["true", "false"]}) == [[0, 1], [1, 0]]
    with pytest.raises(TableError, match=r"new.csv', line 2, column 'a': 3.0 was never seen"):
        encoded(written(tmp_path, "a,b\n03,true\n", "new.csv"), {"a": [1], "b": [True]})


cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1)


@given(
    st.lists(st.tuples(cells, cells), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-16"]),
)
def test_what_is_written_is_read(
    tmp_path_factory: Any, table: list[Any], separator: str, end: str, encoding: str
) -> None:
    """As text, for which the words of the first row stand, without the blanks around it."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([("name", "word"), ("some text", "more text"), *table])
    path = written(tmp_path_factory.mktemp("law"), text.getvalue().encode(encoding))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        columns = read(Csv(path, separator=separator), missing=AS_WRITTEN).columns
    found = list(zip(*(cells_of(column) for column in columns), strict=True))
    bare = [tuple(cell.strip(" \t") or None for cell in row) for row in table]
    assert found == [("some text", "more text"), *bare]


@pytest.mark.parametrize("rows_at_a_time", [1, 100])
def test_blanks_after_separators_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows_at_a_time: int
) -> None:
    """Neither in fit nor in predict, in quotes or not, whatever rows are read together."""
    text = "x, y, z\n" + 'a, p, A34\nb,p ,A34\na, NA, A31\nb, q,"A31"\n' * 3
    path = written(tmp_path, text, "blanks.csv")
    tight = written(tmp_path, text.replace(" ", ""), "tight.csv")
    monkeypatch.setattr(csv_file, "BLOCK_BYTES", 20 * rows_at_a_time)
    assert [a.values for a in schema_of(path).categorical] == [
        ("a", "b"),
        ("p", "q", None),
        ("A31", "A34"),
    ]
    assert schema_of(path).attributes == schema_of(tight).attributes
    assert encoded(path, tight) == encoded(tight, path) == encoded(path, path)


def test_blanks_of_a_frame_count_but_do_not_part_it_from_a_file(tmp_path: Path) -> None:
    frame = {"y": [" p", "q", "q ", " p"]}
    assert schema_of(frame).categorical[0].values == (" p", "q", "q ")
    path = written(tmp_path, "y\n p\nq\n", "file.csv")
    assert encoded(path, frame) == [[0], [1]]
    assert encoded({"y": [" p", "q "]}, path) == [[0], [1]]


def test_codes_of_a_file_and_of_the_same_frame(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = {"a": rng.choice(["u", "v", "w"], 500).tolist(), "b": rng.integers(0, 9, 500).tolist()}
    text = "a,b\n" + "".join(f"{a},{b}\n" for a, b in zip(*table.values(), strict=True))
    file, frame = read(written(tmp_path, text)), read(table)
    assert schema_of(file).categorical == schema_of(frame).categorical
    [one], [two] = encode(file, schema_of(file)), encode(frame, schema_of(frame))
    np.testing.assert_array_equal(one.codes, two.codes)


spellings = st.sampled_from(
    [
        *("1", "2", "01", "1.5", "-3", "1e3", "$2", "1,200", "9" * 20, "+1", "5 kg", ""),
        *("true", "false", "TRUE", "x", "y", "nan", "?", "+", "2020-01-31", "03/04/2020"),
    ]
)


@given(st.lists(spellings, min_size=1, max_size=12), st.data())
def test_what_text_means_does_not_depend_on_how_files_are_cut(
    tmp_path_factory: Any, column: list[str], data: Any
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(column)), max_size=3)))
    folder = tmp_path_factory.mktemp("cut")
    for number, (first, last) in enumerate(pairwise([0, *cuts, len(column)])):
        text = "".join(f'"{cell}",u\n' for cell in column[first:last])
        written(folder, "a,b\n" + text, f"{number}.csv")
    one = written(folder, "a,b\n" + "".join(f'"{cell}",u\n' for cell in column), "whole.txt")
    rules = Rules(10**9)
    with warnings.catch_warnings(), Folder() as place:
        warnings.simplefilter("ignore")
        parts = prepare(open_table(folder), place, rules)
        whole = prepare(open_table(one), place, rules)
        assert repr(parts.schema) == repr(whole.schema) == repr(schema_of(one))
        np.testing.assert_array_equal(parts.blocks[0].codes, whole.blocks[0].codes)
        np.testing.assert_array_equal(parts.blocks[0].numbers, whole.blocks[0].numbers)


def test_the_line_of_a_header_below_blank_lines(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"table.csv', line 3: 1 column .* more than once: 'a'"):
        read(written(tmp_path, "\n\na,b, a\n1,2,3\n"))
    with pytest.raises(TableError, match=r"line 4: 1 field where the header \(line 2\) has 2"):
        read(written(tmp_path, "\na,b\n1,2\n3\n"))


@pytest.mark.parametrize("above", ["# made on Monday", "Results of 2024"])
def test_titles_and_comments_above_the_header(tmp_path: Path, above: str) -> None:
    with pytest.raises(
        TableError, match=r"line 2: 3 fields where the header \(line 1\) has 1 .*remove titles"
    ):
        read(written(tmp_path, f"{above}\na,b,c\n1,2,3\n"))


def test_a_separator_that_separates_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,c\nx,y,1\nx,z,2\n")
    with pytest.warns(GalileoWarning, match=r"one column .* separator ';'.* splits it into 3"):
        read(Csv(path, separator=";"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(Csv(written(tmp_path, "a\nx\ny\n"), separator=";"))


def test_tabs_come_first_in_a_tsv_file(tmp_path: Path) -> None:
    assert rows_of(written(tmp_path, "a\tb\nx,y\t1\nz\t2\n", "t.tsv")) == [("x,y", 1), ("z", 2)]


LONG = "x" * 200_000  # longer than Python's reader allows by default


@pytest.fixture(params=[131_072, 1 << 30])
def field_limit(request: pytest.FixtureRequest) -> Iterator[int]:
    """The limit of Python's reader, which is one for the whole process."""
    usual = csv.field_size_limit(request.param)
    yield request.param
    csv.field_size_limit(usual)


def test_a_long_field_leaves_the_limit_of_the_process_as_it_is(
    tmp_path: Path, field_limit: int
) -> None:
    table = written(tmp_path, f"a,b\n{LONG},1\ny,2\n")
    with Folder() as folder:
        schema = prepare(open_table(table), folder, Rules(10**9)).schema
    assert schema.categorical[0].values == (LONG, "y")
    with pytest.raises(TableError, match=r"ragged.csv', line 3: 1 field where the header"):
        read(written(tmp_path, f"a,b\n{LONG},1\n{LONG}\n", "ragged.csv"))
    bad = written(tmp_path, f"a,b\n{LONG},1\ny,z\n", "bad.csv")
    with pytest.raises(TableError, match=r"bad.csv', line 3, column 'b': 'z' cannot be read"):
        summary_of(bad, choices=TypeChoices(numeric=["b"]))
    assert csv.field_size_limit() == field_limit


def test_readers_do_not_disturb_one_another(field_limit: int) -> None:
    texts = [f"a,b\n{LONG},{number}\n" for number in range(20)]
    one, two = (split_rows(io.StringIO(text), ",") for text in texts[:2])
    assert [next(one), next(two), next(one), next(two)] == [
        (1, ["a", "b"]),
        (1, ["a", "b"]),
        (2, [LONG, "0"]),
        (2, [LONG, "1"]),
    ]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: list(split_rows(io.StringIO(text), ",")), texts))
    assert [rows[1][1] for rows in found] == [[LONG, str(number)] for number in range(20)]
    assert csv.field_size_limit() == field_limit


def test_a_limit_that_is_set_meanwhile_stays(field_limit: int) -> None:
    def lines() -> Iterator[str]:
        csv.field_size_limit(50)
        yield "a,b\n"

    assert list(split_rows(lines(), ",")) == [(1, ["a", "b"])]
    assert csv.field_size_limit() == 50


def test_a_ragged_row_beyond_the_first_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_file, "BLOCK_BYTES", 4096)
    with pytest.raises(TableError, match=r"table.csv', line 6002: 1 field"):
        read(written(tmp_path, "a,b\n" + "1,2\n" * 6000 + "3\n"))
