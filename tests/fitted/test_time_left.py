"""How long a fit will still take, from what its search says of itself."""

import pytest

from galileomix._fitted.time_left import A_STAGE, THE_END, TimeLeft
from galileomix._model.outlook import Outlook


def test_nothing_is_said_before_there_is_something_to_go_by():
    left = TimeLeft()
    assert left.seconds(Outlook("growing"), 100.0) is None
    assert left.seconds(Outlook("improving", 5, 100.0, 4), 101.0) is None  # few kicks
    assert left.seconds(Outlook("improving", 100, 100.0, 4), 101.5) is None  # in no time


def test_kicks_take_as_long_as_they_took():
    left = TimeLeft()
    left.seconds(Outlook("improving"), 10.0)
    found = left.seconds(Outlook("improving", 100, 70.0, 2), 30.0)
    assert found == pytest.approx(0.2 * (70 + 2 * A_STAGE + THE_END))


def test_what_follows_the_search_has_its_time_too():
    left = TimeLeft()
    left.seconds(Outlook("improving"), 0.0)
    left.seconds(Outlook("improving", 100, 0.0, 1), 50.0)
    assert left.seconds(Outlook("weighing sizes"), 60.0) == pytest.approx(0.5 * THE_END)
    assert left.seconds(Outlook("weighing sizes"), 65.0) == pytest.approx(0.5 * THE_END - 5.0)
    assert left.seconds(Outlook("weighing sizes"), 500.0) == 0.0


def test_where_nothing_was_kicked_nothing_is_said_of_the_end():
    assert TimeLeft().seconds(Outlook("weighing sizes"), 60.0) is None
