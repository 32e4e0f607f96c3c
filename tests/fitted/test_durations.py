"""Durations are amounts as numbers are: skewed ones and spikes are taken alike, and stay times."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix._table import Numeric

N = 600
RNG = np.random.default_rng(0)
MINUTES = RNG.lognormal(3.0, 1.0, N).round().clip(1.0)
WAITED = np.where(np.arange(N) % 3 > 0, 0.0, MINUTES)
LETTERS = RNG.choice(["a", "b"], N)


def fitted(minutes: np.ndarray, as_durations: bool) -> Galileo:
    taken = pd.to_timedelta(minutes, unit="min") if as_durations else minutes
    table = pd.DataFrame({"took": taken, "letter": LETTERS})
    return Galileo(effort=0.1, random_state=0).fit(table)


def numeric(model: Galileo) -> Numeric:
    [found] = model.schema_.numeric
    return found


@pytest.fixture(scope="module")
def waits() -> Galileo:
    return fitted(WAITED, as_durations=True)


@pytest.mark.parametrize("minutes", [MINUTES, WAITED])
def test_durations_are_taken_as_the_same_numbers_are(minutes: np.ndarray) -> None:
    plain, timed = (fitted(minutes, as_durations) for as_durations in (False, True))
    assert numeric(timed).transform == numeric(plain).transform == "log"
    assert numeric(timed).spike == numeric(plain).spike
    assert timed.n_components_ == plain.n_components_ == 1


def test_no_duration_is_below_zero() -> None:
    model = fitted(MINUTES, as_durations=True)
    assert model.conditional("took").interval()[0] > 0.0
    assert (model.sample(500)[0]["took"] >= pd.Timedelta(0)).all()


def test_a_spike_of_durations_is_a_duration(waits: Galileo) -> None:
    assert "0 s is a value of its own" in numeric(waits).modelled_as
    drawn = waits.sample(2000)[0]["took"]
    assert drawn.dtype.kind == "m"
    assert (drawn == pd.Timedelta(0)).mean() == pytest.approx(2 / 3, abs=0.05)
    assert "67% are 0 s" in str(waits.conditional("took"))
    assert "took=0 s" in waits.profile()["typical"][0]


def test_missing_durations_are_filled_with_durations(waits: Galileo) -> None:
    gone = pd.DataFrame({"took": pd.to_timedelta([None, "90 min"]), "letter": ["a", "b"]})
    assert waits.impute(gone)["took"].dtype.kind == "m"
    why = next(w for w in waits.explain(gone).reasons(1) if w.attribute == "took")
    assert why.value == timedelta(minutes=90)
    assert str(why) == f"took=90 min (expected 0 s, {why.probability:.0%})"


def test_dates_and_times_of_day_stay_as_they_are() -> None:
    seconds = pd.to_timedelta(np.minimum(MINUTES, 1400.0), unit="min")
    midnight = pd.Timestamp("2024-01-01")
    table = {"day": midnight + seconds, "at": (midnight + seconds).time}
    model = Galileo(n_components=1, random_state=0).fit(pd.DataFrame(table))
    assert [(a.unit, a.transform, a.spike) for a in model.schema_.numeric] == [
        ("datetime", "", None),
        ("time", "", None),
    ]
