"""What a search says of what is ahead of it."""

import pytest

from galileomix._model.kicks import Tally
from galileomix._model.outlook import Outlook, kicks_needed


@pytest.mark.parametrize(
    ("tally", "k", "needed"),
    [
        (Tally(kicks=10), 10, 200),
        (Tally(kicks=10), 2, 100),  # of few components there are fewer ways to kick them
        (Tally(kicks=400, last_success=300), 10, 300),  # success came late
        (Tally(kicks=900, last_success=800), 10, 400),
        (Tally(kicks=90, returned=25), 10, 100),
        (Tally(kicks=90, returned=25, elsewhere=51), 10, 200),  # models are many
    ],
)
def test_kicks_in_vain_that_end_the_last_stage(tally, k, needed):
    assert kicks_needed(tally, k, 200) == needed


def test_what_is_left_if_nothing_better_is_found():
    outlook = Outlook()
    assert outlook.phase == "growing"
    outlook.note(Tally(kicks=60, last_success=20), k=10, patience=50, last=200)
    assert (outlook.phase, outlook.kicks) == ("improving", 60)
    assert (outlook.kicks_left, outlook.stages_left) == (160, 3)


def test_the_last_stage_is_the_one_under_way():
    outlook = Outlook()
    outlook.note(Tally(kicks=500, last_success=0), k=10, patience=400, last=200)
    assert (outlook.kicks_left, outlook.stages_left) == (0, 1)
