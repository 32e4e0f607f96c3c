"""Several pieces of work, told as one."""

import pytest

from galileomix import Progress
from galileomix._progress import Parts, parts


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [0.0]
    monkeypatch.setattr(parts.time, "monotonic", lambda: now[0])
    return now


def test_what_a_piece_says_is_of_the_whole(clock):
    told = []
    four = Parts(told.append, "resample", 4, alike=True)
    four.begin("drawing")
    clock[0] = 10.0
    four.begin("drawing")
    assert (told[0].share, told[0].seconds_left) == (0.0, None)
    assert (told[1].share, told[1].seconds_left) == (0.25, 30.0)
    clock[0] = 14.0
    four.inner(Progress("done", 4.0, 1.0, 0.0, done=True, k=3, criterion="bic", value=1.0))
    last = told[-1]
    assert (last.part, last.share, last.seconds_left) == ("resample 2 of 4", 0.25, 26.0)
    assert (last.seconds, last.k, last.done) == (14.0, 3, False)


def test_a_piece_that_takes_longer_leaves_the_others_as_they_are(clock):
    told = []
    two = Parts(told.append, "resample", 3, alike=True)
    two.begin("drawing")
    clock[0] = 10.0
    two.begin("drawing")
    clock[0] = 100.0
    two.tell(Progress("growing", 90.0))
    assert told[-1].seconds_left == 10.0


def test_of_pieces_that_differ_nothing_is_said(clock):
    told = []
    methods = Parts(told.append, "method", 2)
    methods.begin("clustering", "rock")
    clock[0] = 10.0
    methods.begin("clustering", "k-modes")
    assert [step.seconds_left for step in told] == [None, None]
    assert [str(step) for step in told][1] == "method 2 of 2 (k-modes): clustering"


def test_an_answer_is_passed_on():
    assert Parts(lambda step: False, "class", 2).tell(Progress("growing", 0.0)) is False


def test_where_nobody_listens_nothing_is_told():
    silent = Parts(None, "class", 2)
    silent.begin("storing")
    assert silent.inner is None
