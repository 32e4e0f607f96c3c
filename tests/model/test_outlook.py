"""What a search says of what is ahead of it."""

import math

import pytest

from galileomix._model.kicks import Tally
from galileomix._model.outlook import Outlook, is_clearly_rough, kicks_expected, kicks_needed


@pytest.mark.parametrize(
    ("tally", "k", "needed"),
    [
        (Tally(kicks=10), 10, 200),
        (Tally(kicks=10), 2, 100),  # of few components there are fewer ways to kick them
        (Tally(kicks=400, last_success=300), 10, 300),  # success came late
        (Tally(kicks=900, last_success=800), 10, 400),
        (Tally(kicks=90, returned=25), 10, 100),
        (Tally(kicks=90, returned=25, elsewhere=6), 10, 200),  # others are nearly as good
        (Tally(kicks=90, returned=25, successes=4), 10, 200),  # a better one is likely
    ],
)
def test_kicks_in_vain_that_end_the_last_stage(tally, k, needed):
    assert kicks_needed(tally, k, 200) == needed


def expected_by(successes):
    """How many times as long it takes, where success is expected up to once."""
    return math.expm1(min(successes, 1.0)) / min(successes, 1.0)


@pytest.mark.parametrize(
    ("tally", "left"),
    [
        (Tally(kicks=60), 140),
        (Tally(kicks=99, returned=20), 125 - 99),  # the 25th is expected after 125 kicks
        (Tally(kicks=84, returned=80), 100 - 84),  # but half the patience is asked for
        (Tally(kicks=84, returned=1), 200 - 84),
        (Tally(kicks=84, returned=1, elsewhere=7), 200 - 84),
        (Tally(kicks=84, returned=80, successes=9), (200 - 84) * expected_by(9 / 84 / 2 * 116)),
        (Tally(kicks=300), 0),
    ],
)
def test_kicks_that_are_expected(tally, left):
    assert kicks_expected(tally, 10, 200) == pytest.approx(left)


def test_success_is_expected_of_those_that_had_it():
    none, some, many = (Tally(kicks=100, successes=n) for n in (0, 1, 90))
    left = [kicks_expected(tally, 10, 200) for tally in (none, some, many)]
    assert left[0] == 100 < left[1] < left[2]
    assert left[2] == pytest.approx(100 * math.expm1(1.0))


def test_a_few_kicks_do_not_tell_that_models_are_many():
    assert not is_clearly_rough(Tally(kicks=20, elsewhere=3))
    assert is_clearly_rough(Tally(kicks=20, elsewhere=5))


def test_what_is_ahead():
    outlook = Outlook()
    assert (outlook.phase, outlook.doing) == ("growing", "other")
    outlook.note(Tally(kicks=60, last_success=20), k=10, patience=50, last=200, refined=True)
    assert (outlook.phase, outlook.doing, outlook.kicks) == ("improving", "kicks", 60)
    assert (outlook.kicks_left, outlook.refinements_left) == (160, 3)
    outlook.note(Tally(kicks=60, last_success=20), k=10, patience=25, last=100, refined=False)
    assert outlook.refinements_left == 2


def test_the_last_stage_is_the_one_under_way():
    outlook = Outlook()
    outlook.note(Tally(kicks=500, last_success=0), k=10, patience=400, last=200, refined=True)
    assert (outlook.kicks_left, outlook.refinements_left) == (0, 1)


def test_kicks_at_other_models_count_too():
    outlook = Outlook(aside=40)
    outlook.note(Tally(kicks=60), k=10, patience=50, last=200, refined=True)
    assert outlook.kicks == 100
