"""Evidence on the cells of a column: it adds up, and says how they are read."""

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table.text.text_evidence import TextEvidence

cells = st.sampled_from(
    [
        *("1", "2", "-3", "1.5", "1,5", "1.200", "1e3", "01", "9" * 20, "$2", "5 kg", "3 lb", "5%"),
        *("x", "y", "true", "FALSE", "?", "-", "+", "", "2020-01-31", "31/01/2020", "12:30"),
    ]
)


def evidence_of(texts: list[str]) -> TextEvidence:
    values, counts = np.unique(np.array(texts, dtype=object), return_counts=True)
    return TextEvidence.of(pa.array(values, pa.string()), counts)


@given(st.lists(cells, min_size=1, max_size=12), st.data())
def test_evidence_adds_up(texts: list[str], data: Any) -> None:
    whole = evidence_of(texts)
    order = data.draw(st.permutations(texts))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(texts)), max_size=3)))
    parts = [evidence_of(order[a:b]) for a, b in pairwise([0, *cuts, len(texts)]) if a < b]
    total = sum(parts, TextEvidence())
    assert total.cells == whole.cells
    assert total.format() == whole.format()
    assert total.category_format() == whole.category_format()
    if whole.numeric or whole.layout:
        assert total.number_format() == whole.number_format()
    assert (total.numeric, total.layout, total.all_plain) == (
        whole.numeric,
        whole.layout,
        whole.all_plain,
    )
    assert total.symbols == whole.symbols
    assert whole + TextEvidence() == TextEvidence() + whole == whole


@pytest.mark.parametrize(
    ("texts", "type_", "missing"),
    [
        (["1", "2"], "number", ()),
        (["1", "?"], "number", ("?",)),
        (["1", "2", "x"], "number", ("x",)),
        (["1", "x", "y"], "text", ()),
        (["x", "-"], "text", ("-",)),
        (["x", "-", "+"], "text", ()),
        (["true", "false", "."], "boolean", (".",)),
        (["true", "False"], "text", ()),
        (["01", "1"], "text", ()),
        (["1" * 16], "text", ()),
        (["2020-01-31", "x"], "date", ("x",)),
        (["?", "-"], "text", ("-", "?")),
        (["5 kg", "3 lb"], "text", ()),
        (["1.5", "1,5"], "text", ()),
    ],
)
def test_how_text_is_read(texts: list[str], type_: str, missing: tuple[str, ...]) -> None:
    found = evidence_of(texts).format()
    assert (found.type, found.missing) == (type_, missing)


def test_symbols_are_values_where_they_may_not_mean_missing() -> None:
    texts = pa.array(["x", "-"])
    found = TextEvidence.of(texts, np.array([1, 1]), symbols=False).format()
    assert (found.type, found.missing) == ("text", ())


def test_words_beyond_the_first_texts_count_too() -> None:
    numbers = [str(number) for number in range(200)]
    assert evidence_of([*numbers, "x"]).format().type == "number"
    assert evidence_of([*numbers, "v", "w", "x", "y"]).format().type == "text"
