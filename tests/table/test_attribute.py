"""Attributes: numbers as the model sees them, and what a file may say of them."""

import json
import pickle
from typing import Any

import numpy as np
import pytest

from galileomix._table import OTHER, Attribute, Binned, Categorical, Numeric, Ordered
from galileomix._table.attribute import attribute_from
from galileomix.errors import TableError

ATTRIBUTES: list[Attribute] = [
    Categorical("a", ("x", "y", None)),
    Categorical("a", (True, 1, 1.5, "1")),
    Categorical("a", ("x", OTHER, None), pooled=True),
    Binned("a", ("< 1", ">= 1"), edges=(1.0,)),
    Ordered("a", ("S", "M", "L", None)),
    Numeric("a", 5.0, 2.0),
    Numeric("a", 5.0, 2.0, unit="kg", positive=True),
    Numeric("a", 5.0, 2.0, transform="log", spike=0.0),
    Numeric("a", 5.0, 2.0, transform="yeo-johnson", power=0.5, stretch=4.0),
]


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_an_attribute_survives_json_and_pickle(attribute: Attribute) -> None:
    again = attribute_from(json.loads(json.dumps(attribute.to_dict())))
    assert repr(again) == repr(attribute)
    assert type(again) is type(attribute)
    assert repr(pickle.loads(pickle.dumps(attribute))) == repr(attribute)


def test_what_is_as_usual_is_not_written() -> None:
    assert Numeric("a", 5.0, 2.0).to_dict() == {
        "kind": "numeric",
        "name": "a",
        "center": 5.0,
        "scale": 2.0,
    }
    assert "pooled" not in Categorical("a", ("x",)).to_dict()


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "numeric", "name": "a", "center": "5", "scale": 2.0},
        {"kind": "numeric", "name": "a", "center": True, "scale": 2.0},
        {"kind": "numeric", "name": "a", "center": 5.0, "scale": 2.0, "transform": "sqrt"},
        {"kind": "numeric", "name": "a", "center": 5.0, "scale": 2.0, "spike": "0"},
        {"kind": "numeric", "name": "a", "center": 5.0, "scale": 2.0, "unit": 3},
        {"kind": "categorical", "name": "a", "values": "xyz"},
        {"kind": "categorical", "name": "a", "values": ["x"], "pooled": True},
        {"kind": "categorical", "name": "a", "values": [["x"]]},
        {"kind": "binned", "name": "a", "values": ["< 1", ">= 1"], "edges": ["1"]},
        {"kind": "nominal", "name": "a", "values": ["x"]},
    ],
)
def test_what_is_no_attribute(data: Any) -> None:
    with pytest.raises((TypeError, TableError)):
        attribute_from(data)


def test_numbers_there_and_back() -> None:
    x = np.array([1.0, 7.5, np.nan, 30.0])
    for attribute in ATTRIBUTES:
        if isinstance(attribute, Numeric):
            z = attribute.standardised(x)
            np.testing.assert_allclose(attribute.original(z), x, rtol=1e-9)
            assert attribute.log_slope(z)[2] == 0.0


def test_deviations_in_the_units_of_the_user() -> None:
    plain = Numeric("a", 5.0, 2.0)
    assert plain.spread(np.array([0.0]), np.array([1.5])).tolist() == [3.0]
    log = Numeric("a", 0.0, 1.0, transform="log")
    half = 0.5 * (np.exp(1.1) - np.exp(0.9))
    np.testing.assert_allclose(log.spread(np.array([1.0]), np.array([0.1])), [half])


def test_a_spike_is_apart_from_the_other_numbers() -> None:
    rain = Numeric("rain", 0.0, 1.0, transform="log", spike=0.0)
    assert np.isnan(rain.standardised(np.array([0.0, 1.0]))).tolist() == [True, False]
    assert rain.indicator.values == (0.0, "any other number")
