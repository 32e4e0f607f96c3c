"""The adversary of the search reaches into the package: it must go on working."""

import pytest
from benchmarks.adversary import adversary

from galileomix import Galileo
from galileomix.datasets import load_zoo


def test_the_adversary_never_ends_worse_than_what_it_attacks():
    data = load_zoo().data
    model = Galileo(random_state=0, effort=0.1).fit(data)
    found = adversary(model, data, passes=200, seconds=5.0)
    assert found["value"] <= model.bic(data) + 1e-6
    assert found["passes"] >= 200 or found["seconds"] == pytest.approx(5.0, abs=2.0)
