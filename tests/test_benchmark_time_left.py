"""The benchmark of the time left: what was told at some moments, and what counts as near."""

import pytest
from benchmarks import time_left

from galileomix import Progress

FIT = {"name": "zoo", "criterion": "aic", "effort": 2.0, "k": 7, "seconds": 40.0}
TOLD = {"a quarter": None, "half": 11.0, "three quarters": 25.0}
COST = {"off": 4.0, "on": 4.01, "calls": 120}


def test_what_was_told_last_before_a_moment():
    steps = [Progress("growing", 1.0), Progress("improving", 5.0, 0.5, 7.123)]
    told = [time_left.told_at(steps, seconds) for seconds in (0.5, 4.9, 5.0, 99.0)]
    assert told == [None, None, 7.12, 7.12]


@pytest.mark.parametrize(
    ("told", "near"), [(None, False), (9.9, False), (10.0, True), (40.0, True), (40.1, False)]
)
def test_near_is_within_a_factor_of_two(told, near):
    assert time_left.is_near({"seconds": 40.0, "half": told}, "half") is near


def test_only_long_fits_are_shown():
    short = {**FIT, "name": "votes", "seconds": 19.0, "half": 9.0}
    page = time_left.render([{**FIT, **TOLD}, {**short, **TOLD}, COST])
    assert "at half of the time 1 of 1" in page and "at three quarters of the time 0 of 1" in page
    assert "| zoo | AIC | 2 | 7 | 40 | nothing | 11 s, was 20 | 25 s, was 10 | yes |" in page
    assert "votes" not in page
    assert "4.00 s when nobody listens and 4.01 s with a function that is called 120 times" in page
