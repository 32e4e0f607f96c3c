"""Thousands, millions and billions in one letter: powers of ten, where they can be no unit."""

import pyarrow as pa
import pytest

from galileomix._table import Numeric
from galileomix._table.text.number_text import is_currency, read_numbers
from galileomix._table.text.text_format import TextFormat
from table.helpers import schema_of, types_of

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.GalileoWarning")


def amounts(form: str) -> list[str]:
    return [form.format(n * n + 0.25) for n in range(30)]


def numeric_of(texts: list[str]) -> Numeric:
    [found] = schema_of({"x": texts}).numeric
    return found


def test_magnitudes_are_exact_powers_of_ten() -> None:
    texts = pa.array(["4.35M", "1.1k", "3.2B", "7"])
    assert read_numbers(texts, ".", scaled=True).numbers.tolist() == [4.35e6, 1.1e3, 3.2e9, 7.0]
    assert read_numbers(texts, ".").numbers.tolist() == [4.35, 1.1, 3.2, 7.0]


def test_money_in_millions_is_shown_in_its_currency() -> None:
    found = numeric_of(amounts("${}M"))
    assert found.unit == "$"
    assert found.original(found.standardised(pa.array([2.5e5]).to_numpy())) == pytest.approx(2.5e5)


def test_letters_that_stand_alone_are_units_as_before() -> None:
    assert numeric_of(amounts("{}M")).unit == "M"
    assert numeric_of(amounts("{} K")).unit == "K"


def test_several_magnitudes_are_one_column_of_numbers() -> None:
    assert numeric_of([*amounts("{}M"), *amounts("{}k")]).unit == ""
    several = [*amounts("{}M"), *amounts("{} kg")]
    assert types_of({"x": several}) == {"x": "identifier"}


def test_how_they_are_read_is_kept() -> None:
    how = schema_of({"x": amounts("${}M")}).columns[0].format
    assert how.scaled
    assert TextFormat.from_dict(how.to_dict()) == how
    with pytest.raises(TypeError, match="is not how text is read"):
        TextFormat.from_dict({"type": "number", "scaled": "yes"})


def test_currencies() -> None:
    assert all(map(is_currency, ["$", "US$", "€", "EUR", "kr"]))
    assert not any(map(is_currency, ["kg", "M", "%", "k", "$M"]))
