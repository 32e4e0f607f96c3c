"""Parts of a column that say different things of it, and how they are joined."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from galileomix._table import Csv, Schema, TypeChoices, read, summarise
from galileomix._table.read import csv_file
from galileomix.errors import TableError
from table.helpers import rows_of, schema_of, summary_of, types_of, written

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.GalileoWarning")


def schemas(parts: list[list[str]]) -> set[str]:
    """Return the schemas of the parts of a column, joined in every order, and of all of it."""
    tables = [pa.table({"x": part}) for part in parts]
    whole = [pa.concat_tables(tables)]
    return {
        repr(schema_of(order)) for order in (tables, tables[::-1], tables[1:] + tables[:1], whole)
    }


@pytest.mark.parametrize(
    ("parts", "type_", "values"),
    [
        ([["1", "2"], ["x", "y"], ["z", "u"]], "category", ("1", "2", "u", "x", "y", "z")),
        ([["1", "2", "1", "2"], ["x"]], "category", ("1", "2", "x")),
        ([["true"], ["false"], ["1"]], "category", ("1", "false", "true")),
        ([["true"], ["?"], ["false"]], "category", (False, True, None)),
        ([["-"], ["+", "a"]], "category", ("+", "-", "a")),
        ([["-"], ["a"], ["b"]], "category", ("a", "b", None)),
        ([["2020-01-31"], ["x"], ["y"]], "category", ("2020-01-31", "x", "y")),
        ([["2020-01-31", "2020-02-01"], ["x"]], "date", None),
        ([["31/01/2020"], ["03/04/2020"]], "date", None),
        ([["1.5"], ["2"], ["unknown"]], "number", None),
        ([["1"], ["2,5"], ["3,5"]], "number", None),
        ([["1.200"], ["1.000.000"], ["2,5"]], "number", None),
        ([["01"], ["1"], ["2"]], "category", ("01", "1", "2")),
        ([["36 months"], ["60 months"]], "category", ("36 months", "60 months")),
        ([["NA"], ["?"], ["a"]], "category", ("a", None)),
    ],
)
def test_parts_of_text_are_judged_together(parts: list[list[str]], type_: str, values: Any) -> None:
    [only] = schemas(parts)
    whole = pa.table({"x": [cell for part in parts for cell in part]})
    schema = schema_of(whole)
    assert repr(schema) == only
    assert schema.columns[0].type == type_
    assert values is None or schema.categorical[0].values == values


def test_a_word_far_below_changes_the_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "BLOCK_BYTES", 4096)
    numbers = "".join(f"{n}.5\n" for n in range(3000))
    assert types_of(written(tmp_path, "a\n" + numbers)) == {"a": "number"}
    assert types_of(written(tmp_path, "a\n" + numbers + "v\nw\nx\n")) == {"a": "number"}
    assert types_of(written(tmp_path, "a\n" + numbers + "u\nv\nw\nx\n")) == {"a": "identifier"}


def test_categories_and_text_go_together() -> None:
    frames = [pd.DataFrame({"a": pd.Categorical(["x", "y"])}), pd.DataFrame({"a": ["y", "z"]})]
    for order in (frames, frames[::-1]):
        [attribute] = schema_of(iter(order)).categorical
        assert attribute.values == ("x", "y", "z")
    numbers = [pd.DataFrame({"a": pd.Categorical(["x"])}), pd.DataFrame({"a": ["1.5"]})]
    with pytest.raises(TableError, match="column 'a': numbers in one part of the table"):
        schema_of(iter(numbers))


def test_numbers_as_text_are_the_categories_that_they_are(tmp_path: Path) -> None:
    """Whole numbers that are categories are integers, however they are held."""
    for cells in ([1, 2, 2], [1.0, 2.0, 2.0], ["1", "2", "2"], ["1.0", "2", "2"]):
        assert repr(schema_of({"x": cells}).categorical) == repr(
            schema_of({"x": [1, 2]}).categorical
        )
    choices = TypeChoices(categorical=["x"])
    kept = schema_of({"x": ["1.1", "1.10", "2"]}, choices=choices)
    assert kept.categorical[0].values == ("1.1", "1.10", "2")


def test_no_part_is_the_identity() -> None:
    for cells in (["1", "2"], ["x", "y"], [1.5, 2.5], [None, "x"]):
        some = summarise(read({"a": cells}))
        none = summarise(read({"a": [None]}))
        for total in (some + none, none + some):
            assert total.n_rows == some.n_rows + 1
            assert total.columns[0].rows == some.columns[0].rows
            assert total.columns[0].missing == some.columns[0].missing + 1


def test_the_names_of_columns_count() -> None:
    table = {"id": [str(n % 40) for n in range(400)], "n": [str(n % 40) for n in range(400)]}
    assert types_of(table) == {"id": "identifier", "n": "number"}


def test_spaces_around_cells_and_names(tmp_path: Path) -> None:
    path = tmp_path / "spaces.csv"
    path.write_text("a, x , n,flag, word\n1, 1.5, 1, true, a\n2,2.5 ,2,true,b\n1, ,\t1, false, a\n")
    assert read(path).names == ("a", "x", "n", "flag", "word")
    assert rows_of(path) == [
        (1, 1.5, 1, True, "a"),
        (2, 2.5, 2, True, "b"),
        (1, None, 1, False, "a"),
    ]
    schema = schema_of(path)
    assert [attribute.values for attribute in schema.categorical] == [
        (1, 2),
        (1, 2),
        (False, True),
        ("a", "b"),
    ]


def test_a_summary_of_files_is_that_of_the_whole(tmp_path: Path) -> None:
    one = written(tmp_path, "a,b\n1,x\n2,y\n", "1.csv")
    two = written(tmp_path, "a,b\n3.5,z\nNA,x\n", "2.csv")
    all_of_it = written(tmp_path, "a,b\n1,x\n2,y\n3.5,z\nNA,x\n", "whole.txt")
    schema = summary_of([one, two]).schema()
    assert isinstance(schema, Schema)
    assert schema == summary_of([two, one]).schema() == summary_of(Csv(all_of_it)).schema()
