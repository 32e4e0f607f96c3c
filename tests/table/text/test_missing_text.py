"""What means missing without anybody saying so."""

import io

import pandas as pd
import pyarrow as pa
import pytest

from galileomix._table.text.missing_text import SPELLINGS, SYMBOLS, has_signs


def test_all_spellings_of_pandas_are_ours() -> None:
    ours = "a,b\n" + "".join(f'"{text}",1\n' for text in sorted(SPELLINGS))
    theirs = pd.read_csv(io.StringIO(ours))["a"]
    assert theirs.isna().sum() >= 17
    usual = ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND"]
    usual += ["1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
    assert set(usual) <= SPELLINGS


def test_words_that_people_use_as_values_are_none() -> None:
    assert SPELLINGS.isdisjoint({"none", "na", "unknown", "missing", "no", "0", "-1", "x"})
    assert SPELLINGS.isdisjoint(SYMBOLS)


@pytest.mark.parametrize("text", ["+", "++", "!", "*", "<>", "/", "±", "→"])
def test_signs(text: str) -> None:
    assert has_signs(pa.array(["a", text]))


@pytest.mark.parametrize("text", ["a", "a-", "1", "C++", "é", "日", "+ 1", ""])
def test_what_is_more_than_signs(text: str) -> None:
    assert not has_signs(pa.array(["a", text]))
