"""What is drawn can be a table itself: cells of the types of those that were fitted."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo


@pytest.mark.parametrize("values", [[True, False], [1, 2]])
def test_values_stay_what_they_are_beside_missing_ones(values) -> None:
    table = pd.DataFrame({"x": np.array([*values, None] * 20, object), "g": ["a", "b", "a"] * 20})
    drawn, _ = Galileo(missing="ignore", effort=0.1, random_state=0).fit(table).sample(100)
    assert drawn["x"].isna().any()
    assert {type(cell) for cell in drawn["x"].dropna()} == {type(values[0])}


def test_no_number_is_drawn_that_a_table_cannot_hold() -> None:
    numbers = np.random.default_rng(0).normal(size=40) * 5e89
    model = Galileo(effort=0.1, random_state=0).fit(pd.DataFrame({"x": numbers}))
    drawn, _ = model.sample(500)
    assert np.isfinite(model.score_samples(drawn)).all()
