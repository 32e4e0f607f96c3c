"""Columns of random cells: the usual ones, and whatever a table may hold by accident or malice."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

Cells = list[Any]
WORDS = ("red", "green", "blue", "", "NA", "?", "1", "1.0", "true", "0x1F", "Ünïcödé", "😀", "ß")
STRANGE = ("\0", "a\0b", "\ud800", "\u202e", "\ufeff", "x" * 100_000, "\r\n", '"', "{", "[red]")
MISSING = (None, math.nan)
EXTREMES = (1e308, -1e308, 5e-324, 1e-300, 1e89, -1e89, 0.0, -0.0, 1.0, math.inf, 2.0**53 + 2)
HUGE = (2**63, 2**64, -(2**63) - 1, 10**30, 10**400, 0, 1)
ODD = (Decimal("1.5"), Decimal("sNaN"), Decimal("Infinity"), 1j, b"red", b"\xff", (1, 2), True)
DAY = datetime.datetime(2024, 2, 29)


def words(rng: Random, n: int) -> Cells:
    """Return one of a few words in each row."""
    few = rng.sample(WORDS, rng.randint(1, 5))
    return [rng.choice(few) for _ in range(n)]


def clusters(rng: Random, n: int) -> Cells:
    """Return what says which half of the table a row is in, but for some rows."""
    return [str(a * 2 // n if rng.random() < 0.9 else rng.randint(0, 3)) for a in range(n)]


def identifiers(rng: Random, n: int) -> Cells:
    """Return another word in each row."""
    return [f"id-{a}-{rng.randint(0, 9)}" for a in range(n)]


def strange_words(rng: Random, n: int) -> Cells:
    """Return words among which some are hard to write or to show."""
    few = [*rng.sample(STRANGE, 2), "red"]
    return [rng.choice(few) for _ in range(n)]


def whole_numbers(rng: Random, n: int) -> Cells:
    """Return whole numbers, few or many of them."""
    most = rng.choice((1, 3, 10, 1000))
    return [rng.randint(0, most) for _ in range(n)]


def numbers(rng: Random, n: int) -> Cells:
    """Return numbers of two clusters, in some unit."""
    unit, apart = 10.0 ** rng.choice((-250, -9, 0, 0, 0, 3, 80)), rng.choice((0.0, 6.0))
    return [unit * (rng.gauss(0, 1) + apart * (2 * a >= n)) for a in range(n)]


def amounts(rng: Random, n: int) -> Cells:
    """Return skewed numbers, some of which are zero."""
    return [0.0 if rng.random() < 0.2 else math.exp(rng.gauss(0, 3)) for _ in range(n)]


def nearly_constant(rng: Random, n: int) -> Cells:
    """Return one number in all rows, or in all but the last bits, or in all but one row."""
    number = rng.choice((0.0, 1.0, 1e9, 1e-9, 0.1))
    cells = [number] * n
    if rng.random() < 0.7:
        cells[rng.randrange(n)] = rng.choice((number * (1 + 2.0**-52), number + 1.0, -number))
    return cells


def extremes(rng: Random, n: int) -> Cells:
    """Return numbers at the ends of what a float can hold."""
    few = rng.sample(EXTREMES, rng.randint(1, 3))
    return [rng.choice(few) for _ in range(n)]


def huge_integers(rng: Random, n: int) -> Cells:
    """Return integers of which some are too large for 64 bits, or for a float."""
    few = rng.sample(HUGE, rng.randint(1, 3))
    return [rng.choice(few) for _ in range(n)]


def odd_objects(rng: Random, n: int) -> Cells:
    """Return objects that seldom are in tables."""
    few = [rng.choice(ODD), rng.choice((1, "a"))]
    return [rng.choice(few) for _ in range(n)]


def dates(rng: Random, n: int) -> Cells:
    """Return days."""
    return [DAY + datetime.timedelta(days=rng.randint(-400, 400)) for _ in range(n)]


def written_numbers(rng: Random, n: int) -> Cells:
    """Return numbers as text."""
    style = rng.choice(("{:.2f}", "${:,.0f}", "{:.0f}%", "{:e}"))
    return [style.format(rng.lognormvariate(3, 2)) for _ in range(n)]


def booleans(rng: Random, n: int) -> Cells:
    """Return truth values."""
    return [rng.random() < 0.3 for _ in range(n)]


def nothing(rng: Random, n: int) -> Cells:
    """Return missing values only."""
    return [rng.choice(MISSING)] * n


USUAL: tuple[Callable[[Random, int], Cells], ...] = (
    *(words, clusters, clusters, whole_numbers, numbers, numbers, amounts, booleans),
    *(dates, written_numbers, identifiers, nearly_constant),
)
UNUSUAL = (nothing, extremes, strange_words, huge_integers, odd_objects)


def with_missing(cells: Cells, rng: Random) -> Cells:
    """Return cells of which some are missing."""
    share = rng.choice((0.0, 0.0, 0.1, 0.6))
    return [rng.choice(MISSING) if rng.random() < share else cell for cell in cells]


def column(rng: Random, n: int, before: list[Cells]) -> Cells:
    """Return a random column; it may be a copy of one before, or a multiple of it."""
    if before and rng.random() < 0.1:
        copied = rng.choice(before)
        return [2 * cell if isinstance(cell, float) else cell for cell in copied]
    kinds = USUAL if rng.random() < 0.85 else UNUSUAL
    return with_missing(rng.choice(kinds)(rng, n), rng)
