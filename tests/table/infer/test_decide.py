"""What every column is: small tables whose types nobody would doubt."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from galileomix._table import MissingValues, Ordered, TypeChoices
from galileomix.errors import TableError
from table.helpers import summary_of, types_of

pytestmark = pytest.mark.filterwarnings("ignore::galileomix.GalileoWarning")

N = 400
RNG = np.random.default_rng(0)
ROWS = np.arange(N)


def texts(numbers: Any) -> list[str]:
    return [str(number) for number in numbers]


NAMES = [f"{first} {last}" for first in "abcdefghijklmnopqrst" for last in "abcdefghijklmnopqrst"]
DECISIONS: dict[str, tuple[str, str, Any]] = {
    # what, its name in the table, its cells
    "measurements": ("number", "width", RNG.normal(size=N)),
    "rounded measurements": ("number", "width", np.round(RNG.normal(5, 2, N), 1)),
    "few prices": ("category", "fee", RNG.choice([0.0, 4.5, 9.99, 19.99], N)),
    "few prices as text": ("category", "fee", [f"${n}" for n in RNG.choice([4.5, 9.99, 19.99], N)]),
    "halves": ("number", "stars", RNG.integers(2, 11, N) / 2),
    "a constant": ("number", "width", np.full(N, 2.5)),
    "float codes": ("category", "x", RNG.integers(0, 5, N).astype(float)),
    "ages": ("number", "age", RNG.integers(18, 90, N)),
    "ages as text": ("number", "age", texts(RNG.integers(18, 90, N))),
    "ages with a hole": ("number", "age", [None, *RNG.integers(18, 90, N - 1).tolist()]),
    "counts": ("number", "visits", RNG.poisson(20, N)),
    "years": ("number", "year", RNG.integers(1950, 2020, N)),
    "grades": ("category", "grade", RNG.integers(1, 6, N)),
    "binary": ("category", "y", RNG.integers(0, 2, N)),
    "binary with a hole": ("category", "y", np.where(ROWS == 3, np.nan, ROWS % 2)),
    "zip codes": ("category", "zip_code", RNG.choice([10115, 80331, 20095], N) + ROWS % 9),
    "zip codes that nearly all differ": ("identifier", "zip", RNG.permutation(90_000)[:N]),
    "leading zeros": ("category", "plant", [f"{n:03}" for n in ROWS % 30]),
    "row numbers": ("identifier", "n", ROWS),
    "row numbers from one, shuffled": ("identifier", "n", RNG.permutation(N) + 1),
    "a written index": ("identifier", "Unnamed: 0", ROWS),
    "ids by name": ("identifier", "customer_id", RNG.integers(0, 10**6, N)),
    "ids in capitals": ("identifier", "CustomerID", RNG.integers(0, 10**6, N)),
    "ids that repeat": ("identifier", "user id", RNG.permutation(np.repeat(ROWS[:200] * 7, 2))),
    "ids run together": ("identifier", "userid", RNG.permutation(10**6)[:N]),
    "numbers of accounts": ("identifier", "account_number", RNG.permutation(10**6)[:N]),
    "numbers of accounts that repeat": ("number", "account number", RNG.integers(0, 50, N) * 7),
    "few ids": ("category", "store_id", RNG.integers(0, 9, N)),
    "amounts that all differ": ("number", "amount", RNG.permutation(10**6)[:N]),
    "words": ("category", "color", RNG.choice(["red", "green", "blue"], N)),
    "many words": ("category", "city", RNG.choice(NAMES[:90], N)),
    "names": ("identifier", "name", NAMES),
    "names that repeat a little": ("identifier", "name", [*NAMES[:300], *NAMES[:100]]),
    "sentences": ("text", "note", [f"it was the day number {i} of that year" for i in range(N)]),
    "booleans": ("category", "flag", ROWS % 2 == 0),
    "booleans as text": ("category", "flag", ["true", "false"] * (N // 2)),
    "pandas categories": ("category", "c", pd.Series(ROWS % 50).astype("category")),
    "ordered": ("ordered", "size", pd.Categorical(["S", "L"] * 200, ["S", "L"], ordered=True)),
    "enum": ("category", "size", pl.Series(["S", "L"] * 200, dtype=pl.Categorical)),
    "dates": ("date", "day", pd.to_datetime(RNG.integers(0, 10**9, N), unit="s")),
    "dates as text": ("date", "day", texts(pd.to_datetime(RNG.integers(0, 9**9, N), unit="s"))),
    "times": ("date", "at", [f"{n // 60:02}:{n % 60:02}" for n in RNG.integers(0, 1440, N)]),
    "durations": ("date", "took", pd.to_timedelta(RNG.integers(0, 10**6, N), unit="s")),
    "periods": ("date", "month", pd.PeriodIndex(RNG.choice(["2020-01", "2021-07"], N), freq="M")),
    "a day for each row": ("identifier", "day", pd.date_range("2020", periods=N)),
    "money": ("number", "pay", [f"${n:,}.50" for n in RNG.integers(0, 10**5, N)]),
    "terms": ("category", "term", [f"{n} months" for n in RNG.choice([36, 60], N)]),
    "nothing": ("category", "empty", [None] * N),
    "long numbers": ("identifier", "card", [f"{n:020}" for n in RNG.permutation(10**6)[:N]]),
    "numbers among words": ("category", "mark", RNG.choice(["A", "B", "C", "D", "E", "1"], N)),
}


@pytest.mark.parametrize("what", DECISIONS)
def test_what_a_column_is(what: str) -> None:
    type_, name, cells = DECISIONS[what]
    assert types_of({name: cells}) == {name: type_}


@pytest.mark.parametrize("cells", [1.1 * ROWS, RNG.normal(size=8)])
@pytest.mark.parametrize("power", (0, 9, 15, 17, 25, 80))
def test_the_unit_of_numbers_does_not_matter(cells: Any, power: int) -> None:
    """Beyond 2**53 all floats are whole, which says nothing of what they are."""
    assert types_of({"x": cells * 10.0**power}) == {"x": "number"}


def test_huge_integers_are_whole_and_ids_by_name() -> None:
    codes, ids = 2**60 + 1000 * (ROWS % 8), 2**60 + 1000 * RNG.permutation(10**6)[:N]
    assert types_of({"hash": codes}) == {"hash": "category"}
    assert types_of({"tweet_id": ids}) == {"tweet_id": "identifier"}
    assert types_of({"tweet_id": [None, *ids[1:].tolist()]}) == {"tweet_id": "identifier"}


def test_few_decimals_are_categories_where_each_is_held_often() -> None:
    fee = np.array([0.0, 0.0, 0.0, 1.5, 2.5])
    assert types_of({"fee": np.tile(fee, 10)}) == {"fee": "category"}
    assert types_of({"fee": np.tile(fee, 9)}) == {"fee": "number"}
    seven = np.arange(7) / 2
    assert types_of({"fee": np.tile(seven, 50)}) == {"fee": "number"}
    assert types_of({"fee": np.tile(fee, 10)}, choices=TypeChoices(numeric=["fee"])) == {
        "fee": "number"
    }


@pytest.mark.parametrize("what", DECISIONS)
def test_fewer_rows_make_no_identifier(what: str) -> None:
    _, name, cells = DECISIONS[what]
    assert types_of({name: cells[:20]})[name] not in ("identifier", "text")


@pytest.mark.parametrize("what", DECISIONS)
def test_the_order_of_rows_does_not_matter(what: str) -> None:
    _, name, cells = DECISIONS[what]
    order = RNG.permutation(N)
    shuffled = cells[order] if hasattr(cells, "dtype") else [cells[i] for i in order]
    one, two = (summary_of({name: part}).schema() for part in (cells, shuffled))
    assert repr(one) == repr(two)


def test_every_decision_has_a_reason() -> None:
    for _, name, cells in DECISIONS.values():
        [column] = summary_of({name: cells}).schema().columns
        assert column.why
        assert column.modelled is (column.type not in ("identifier", "text", "dropped"))


REASONS = {
    "times of day": ["12:30", "7:45"],
    "durations": ["2h 3m", "45m"],
    "dates, year-month-day": ["2020-01-31", "2021-12-05"],
    "dates, day/month/year": ["23/12/2019", "05/01/2020"],
    "dates, month/day/year": ["12-23-2019", "01-05-2020"],
    "dates, day month-name year": ["23 Dec 2019", "5 Jan 2020"],
    "dates, month-name year": ["Dec-2019", "Jan-2020"],
    "dates": pd.to_datetime(["2020-01-31", "2021-12-05"]),
}


@pytest.mark.parametrize("why", REASONS)
def test_reasons_say_how_moments_are_written(why: str) -> None:
    [column] = summary_of({"x": REASONS[why]}).schema().columns
    assert (column.type, column.why) == ("date", why)


def test_values_that_are_all_rare_tell_nothing() -> None:
    towns = np.repeat([f"town {n}" for n in range(100)], 4)
    [column] = summary_of({"town": towns}).schema().columns
    assert column.type == "identifier"
    assert column.why == "100 different values in 400 rows, none of them common"
    assert types_of({"town": np.append(towns, ["town 7"] * 9)}) == {"town": "category"}
    assert types_of({"town": towns}, criterion=None) == {"town": "category"}
    said = TypeChoices(categorical=["town"])
    assert types_of({"town": towns}, choices=said) == {"town": "category"}


def test_what_the_user_says_comes_first() -> None:
    table = {"a": ROWS, "b": ROWS % 3, "c": ROWS % 4, "d": NAMES, "e": ROWS / 7}
    choices = TypeChoices(categorical=["a", "d"], numeric=["b"], ordered=["c"], drop=["e"])
    schema = summary_of(table, choices=choices).schema()
    assert [(column.type, column.why) for column in schema.columns] == [
        ("category", "as you say"),
        ("number", "as you say"),
        ("ordered", "as you say"),
        ("category", "as you say"),
        ("dropped", "as you say"),
    ]
    assert schema.attributes[2] == Ordered("c", (0, 1, 2, 3))


def test_one_choice_for_all() -> None:
    table = {"a": ROWS, "b": ROWS / 7}
    assert set(types_of(table, choices=TypeChoices(categorical="all")).values()) == {"category"}
    assert set(types_of(table, choices=TypeChoices(numeric="all")).values()) == {"number"}
    choices = TypeChoices(categorical="all", numeric=["b"])
    assert types_of(table, choices=choices) == {"a": "category", "b": "number"}


def test_orders() -> None:
    table = {"size": ["M", "S", "L", "S", None]}
    given = TypeChoices(ordered={"size": ["S", "M", "L", "XL"]})
    [attribute] = summary_of(table, choices=given).schema().attributes
    assert attribute == Ordered("size", ("S", "M", "L", "XL", None))
    with pytest.raises(TableError, match=r"column 'size': the order of 'L', 'M', 'S' is not known"):
        summary_of(table, choices=TypeChoices(ordered=["size"])).schema()
    with pytest.raises(TableError, match=r"'L' is not in the order that is given: 'S', 'M'"):
        summary_of(table, choices=TypeChoices(ordered={"size": ["S", "M"]})).schema()


def test_an_ordered_column_of_numbers_has_their_order() -> None:
    for grades in ([3, 1, 2], ["3", "1", "2"], [3.0, 1.0, 2.0]):
        schema = summary_of({"g": grades}, choices=TypeChoices(ordered=["g"])).schema()
        assert schema.attributes == (Ordered("g", (1, 2, 3)),)
        given = TypeChoices(ordered={"g": [2, 1, 3]})
        assert summary_of({"g": grades}, choices=given).schema().attributes == (
            Ordered("g", (2, 1, 3)),
        )


def test_a_symbol_is_a_value_where_the_user_says_so() -> None:
    table = {"bond": ["-", "low", "high"]}
    [missing] = summary_of(table).schema().attributes
    [kept] = summary_of(table, missing_values=MissingValues.of([], usual=False)).schema().attributes
    assert missing.values == ("high", "low", None)  # type: ignore[union-attr]
    assert kept.values == ("-", "high", "low")  # type: ignore[union-attr]
