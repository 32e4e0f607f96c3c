"""How long a fit will still take, from what its search says of itself."""

import pytest

from galileomix._fitted.time_left import FIRST_REFINEMENT, LATER, THE_END, TimeLeft
from galileomix._model.outlook import Outlook

KICKING = Outlook("improving", "kicks")


def after(kicks, left=0.0, refinements=0, doing="kicks"):
    return Outlook("improving", doing, kicks, left, refinements)


def test_nothing_is_said_before_there_is_something_to_go_by():
    left = TimeLeft()
    assert left.seconds(Outlook(), 100.0) is None
    assert left.seconds(KICKING, 100.1) is None
    assert left.seconds(after(5, 100.0, 4), 110.0) is None  # few kicks
    other = TimeLeft()
    assert other.seconds(KICKING, 100.0) is None
    assert other.seconds(after(100, 100.0, 4), 101.5) is None  # in no time


def test_kicks_take_as_long_as_they_took():
    left = TimeLeft()
    left.seconds(KICKING, 10.0)
    found = left.seconds(after(100, 70.0), 30.0)
    assert found == pytest.approx(0.2 * (70 + THE_END))


def test_a_first_refinement_is_guessed():
    left = TimeLeft()
    left.seconds(KICKING, 10.0)
    found = left.seconds(after(100, 70.0, 3), 30.0)
    refinements = FIRST_REFINEMENT * (1 + 2 * LATER)
    assert found == pytest.approx(0.2 * (70 + THE_END + refinements))


def test_later_ones_take_a_share_of_the_longest():
    left = TimeLeft()
    left.seconds(KICKING, 0.0)
    left.seconds(after(100, 70.0, 2, "refinement"), 20.0)
    left.seconds(after(100, 70.0, 2, "refinement"), 25.0)
    left.seconds(after(100, 70.0, 2), 50.0)
    found = left.seconds(after(150, 20.0, 1), 60.0)
    assert found == pytest.approx(0.2 * (20 + THE_END) + LATER * 30.0)


def test_what_follows_the_search_has_its_time_too():
    left = TimeLeft()
    left.seconds(KICKING, 0.0)
    left.seconds(after(100), 50.0)
    assert left.seconds(Outlook("weighing sizes"), 60.0) == pytest.approx(0.5 * THE_END)
    assert left.seconds(Outlook("weighing sizes"), 65.0) == pytest.approx(0.5 * THE_END - 5.0)
    assert left.seconds(Outlook("weighing sizes"), 500.0) is None  # overdue


def test_where_nothing_was_kicked_nothing_is_said_of_the_end():
    assert TimeLeft().seconds(Outlook("weighing sizes"), 60.0) is None
