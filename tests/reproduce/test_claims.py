"""Which verdict a claim gets: reproduced, beaten or differs."""

import pytest

from galileomix._reproduce.claims import REPRODUCED, Verdict, compare, overall, same
from galileomix.errors import ParameterError


@pytest.mark.parametrize("ours", [0.32660, 0.32667, 0.32653, 0.326699])
def test_the_same_to_the_paper_s_digits_rounded_or_cut_off(ours):
    assert compare(0.3266, ours, 4) == REPRODUCED
    assert compare(0.3266, ours, 4, better="more") == REPRODUCED


@pytest.mark.parametrize(("better", "ours"), [("more", 0.4), ("less", 0.2)])
def test_better_in_its_direction_is_beaten(better, ours):
    assert compare(0.3, ours, 2, better=better).word == "beaten"


@pytest.mark.parametrize(
    ("better", "ours"), [("more", 0.2), ("less", 0.4), ("neither", 0.2), ("neither", 0.4)]
)
def test_anything_else_differs_and_says_why(better, ours):
    assert str(compare(0.3, ours, 2, better=better, why="luck")) == "differs: luck"
    assert compare(0.3, ours, 2, better=better).why


def test_not_a_number_is_never_reproduced_or_beaten():
    for better in ("more", "less", "neither"):
        assert compare(0.3, float("nan"), 2, better=better).word == "differs"


def test_what_differs_must_say_why():
    with pytest.raises(ParameterError, match="must say why"):
        Verdict("differs")


def test_equal_things_are_reproduced():
    assert same([1, 2], [1, 2], "order") == REPRODUCED
    assert str(same([1, 2], [2, 1], "order")) == "differs: order"


def test_the_worst_of_several_counts():
    beaten, late, early = Verdict("beaten"), Verdict("differs", "b"), Verdict("differs", "a")
    assert overall([REPRODUCED, REPRODUCED]) == REPRODUCED
    assert overall([REPRODUCED, beaten]).word == "beaten"
    assert str(overall([beaten, early, late, early])) == "differs: a; b"
