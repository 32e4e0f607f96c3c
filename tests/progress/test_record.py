"""How far work has come, as a record and in words."""

import dataclasses

import pytest

from galileomix import Progress
from galileomix._words import about_duration


@pytest.mark.parametrize(
    ("size", "words"),
    [(4_000, "2 of 4 kB"), (90_000_000, "45 of 90 MB"), (9e9, "4,500 of 9,000 MB")],
)
def test_sizes_of_files_small_and_large(size, words):
    step = Progress("reading", 0.0, rows=5, bytes_read=int(size) // 2, bytes_total=int(size))
    assert str(step) == f"reading: 5 rows, {words}"


def test_rows_from_elsewhere_have_no_size():
    assert str(Progress("reading", 0.0, rows=1)) == "reading: 1 row"


def test_the_speed_is_in_two_digits():
    step = Progress("scoring", 3.0, rows=1_000_000)
    assert step.rows_per_second == pytest.approx(333333.3)
    assert str(step) == "scoring: 1,000,000 rows (330,000 per second)"
    assert Progress("scoring", 3.0).rows_per_second is None


def test_the_best_model_so_far_and_the_time_left():
    step = Progress(
        "improving", 10.0, 0.5, 10.0, k=1, criterion="aic", value=-12345.678, n_passes=1
    )
    assert str(step) == "improving: 1 cluster, AIC -12345.7, 1 pass, about 10 s left"
    assert str(dataclasses.replace(step, part="resample 1 of 2")).startswith("resample 1 of 2: imp")


def test_what_is_done_has_no_time_left():
    assert str(Progress("done", 10.0, 1.0, 0.0, done=True)) == "done"


def test_nobody_changes_a_record():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Progress("growing", 0.0).phase = "done"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "a few seconds"),
        (8.0, "about 10 s"),
        (54.0, "about 50 s"),
        (56.0, "about 1 min"),
        (89.0, "about 1 min"),
        (570.0, "about 10 min"),
        (1_000.0, "about 15 min"),
        (3_300.0, "about 1 h"),
        (100_000.0, "about 28 h"),
    ],
)
def test_an_estimate_has_few_digits(seconds, words):
    assert about_duration(seconds) == words
