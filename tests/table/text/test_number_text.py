"""Numbers as people write them; `test_variants` has the ways to write them."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._table.text.number_text import (
    Decimal,
    fits_comma,
    may_be_number,
    read_numbers,
    read_plain,
)

SIGNS: list[tuple[Decimal, str]] = [(".", ","), (".", " "), (".", "'"), (",", "."), (",", " ")]


def written(number: float, decimal: str, group: str) -> str:
    """Write a number with two decimals, as a person would."""
    text = f"{number:,.2f}"
    return text.replace(",", "\0").replace(".", decimal).replace("\0", group)


@given(
    st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20),
    st.sampled_from(SIGNS),
    st.sampled_from(["{}", "${}", "{} €", "{}%", "{} kg", "EUR {}", " {} "]),
)
def test_what_is_written_is_read(
    numbers: list[float], signs: tuple[Decimal, str], form: str
) -> None:
    texts = [form.format(written(number, *signs)) for number in numbers]
    found = read_numbers(pa.array(texts), signs[0])
    expected = [float(f"{number:.2f}") for number in numbers]
    np.testing.assert_allclose(found.numbers, expected, rtol=1e-15)
    assert len(found.units) == (form.strip() != "{}")
    assert all(may_be_number(text.strip()) for text in texts)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_what_python_writes_is_plain(numbers: list[float]) -> None:
    texts = pa.array([repr(number) for number in numbers])
    found = read_plain(texts)
    assert found is not None
    assert found.tolist() == numbers
    np.testing.assert_array_equal(read_numbers(texts, ".").numbers, numbers)


@pytest.mark.parametrize(
    "text", ["", "x", "1x2", "1,2,3", "1.2.3", "1 2", "$", "%", "kg", "1,23", "0x1F", "1/2"]
)
def test_what_is_no_number(text: str) -> None:
    assert np.isnan(read_numbers(pa.array([text]), ".").numbers).all()


def test_one_word_makes_texts_not_plain() -> None:
    assert read_plain(pa.array(["1", "x"])) is None
    assert read_plain(pa.array(["1", "1,5"])) is None


@pytest.mark.parametrize(
    ("texts", "fits"),
    [
        (["1", "22"], True),
        (["1.200", "3"], True),
        (["1.20"], False),
        (["0.200"], False),
        (["1.5"] * 40, False),
        (["1e3"], True),
    ],
)
def test_which_plain_numbers_may_be_of_a_column_with_decimal_commas(
    texts: list[str], fits: bool
) -> None:
    assert fits_comma(pa.array(texts)) is fits
