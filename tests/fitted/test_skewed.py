"""Numbers that are modelled on another scale, and those that are a category of their own."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from galileomix import Galileo

N = 600


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    wet = rng.random(N) < 0.5
    rain = np.where(wet & (rng.random(N) < 0.9), np.exp(rng.normal(1.0, 0.8, N)), 0.0)
    sky = np.where(wet, "grey", "blue")
    return pd.DataFrame(
        {
            "sky": sky,
            "rain": rain,
            "wind": np.where(rng.random(N) < 0.1, np.nan, rng.normal(9.0, 2.0, N)),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, N), "D"),
        }
    )


@pytest.fixture(scope="module")
def model(table: pd.DataFrame) -> Galileo:
    return Galileo(random_state=0).fit(table)


def test_the_schema_says_what_is_done(model: Galileo) -> None:
    rain, day = (a for a in model.schema_.numeric if a.name in ("rain", "day"))
    assert (rain.transform, rain.spike, rain.positive) == ("log", 0.0, True)
    assert (day.unit, day.transform) == ("date", "")


def test_log_likelihoods_are_those_of_the_numbers_as_they_are() -> None:
    rng = np.random.default_rng(0)
    x = np.exp(rng.normal(2.0, 1.0, 500))
    found = Galileo(n_components=1, random_state=0).fit({"x": x})
    mu, sigma = np.log(x).mean(), np.log(x).std()
    expected = stats.lognorm(sigma, scale=np.exp(mu)).logpdf(x)
    np.testing.assert_allclose(found.score_samples({"x": x}), expected, atol=0.02)
    step = next(iter(found.path_))
    assert step.log_likelihood == pytest.approx(found.score_samples({"x": x}).sum())
    plain = Galileo(n_components=1, transform_numbers="none", random_state=0).fit({"x": x})
    assert step.bic < next(iter(plain.path_)).bic


def test_a_spike_has_a_probability_and_other_numbers_a_density(model: Galileo) -> None:
    dry = model.conditional("rain", {"sky": "blue"})
    wet = model.conditional("rain", {"sky": "grey"})
    assert dry.spike_probability > 0.95 > 0.3 > wet.spike_probability
    others = integrate.quad(lambda x: float(wet.pdf(x)), 0.0, 400.0, limit=200)[0]
    assert others + wet.spike_probability == pytest.approx(1.0, abs=1e-3)
    assert float(wet.cdf(0.0)) == pytest.approx(wet.spike_probability)
    assert wet.quantile(0.5 * wet.spike_probability) == 0.0
    assert float(wet.cdf(wet.quantile(0.9))) == pytest.approx(0.9)


def test_draws_are_possible_and_cells_are_missing_as_often(model: Galileo) -> None:
    drawn, _ = model.sample(4000)
    assert (drawn["rain"] >= 0).all()
    assert (drawn["rain"] == 0).mean() == pytest.approx(0.55, abs=0.06)
    assert drawn["wind"].isna().mean() == pytest.approx(0.1, abs=0.03)
    assert (drawn["day"] == drawn["day"].dt.normalize()).all()
    assert drawn["day"].dt.year.between(2023, 2025).all()
    assert model.sample(50, given={"wind": 9.0})[0]["wind"].eq(9.0).all()


def test_missing_numbers_are_filled_with_the_spike_or_another_number(model: Galileo) -> None:
    gone = pd.DataFrame(
        {"sky": ["blue", "grey"], "rain": [np.nan, np.nan], "wind": [9.0, 9.0]}
    ).assign(day=pd.Timestamp("2024-03-01"))
    filled, cells = model.impute(gone, return_cells=True)
    assert filled["rain"][0] == 0.0
    assert filled["rain"][1] > 1.0
    assert cells["probability"][0] > 0.95
    assert np.isnan(cells["probability"][1])
    assert cells["deviation"][1] > 0


def test_what_surprises_is_the_spike_or_a_number_far_out(model: Galileo) -> None:
    rows = pd.DataFrame(
        {"sky": ["blue", "blue", "grey", "grey"], "rain": [0.0, 3.0, 3.0, 1e6], "wind": 9.0}
    ).assign(day=pd.Timestamp("2024-03-01"))
    surprise = model.explain(rows).surprise["rain"]
    assert surprise[0] < 0.1
    assert surprise[1] > 2.0
    assert surprise[2] < 2.0
    assert surprise[3] > 10.0
    assert model.explain(rows).expected["day"].dtype.kind == "M"


def test_a_number_that_no_logarithm_has_is_far_out(model: Galileo) -> None:
    row = pd.DataFrame({"sky": ["grey"], "rain": [-1.0], "wind": 9.0}).assign(
        day=pd.Timestamp("2024-03-01")
    )
    assert model.score_samples(row)[0] < -100
    assert np.isfinite(model.score_samples(row)).all()


def test_one_row_may_hold_nearly_all_the_weight() -> None:
    x = np.random.default_rng(0).normal(size=200)
    model = Galileo(random_state=0).fit({"x": x}, sample_weight=np.r_[np.full(199, 1e-6), 1e12])
    assert np.isfinite(next(iter(model.path_)).bic)
