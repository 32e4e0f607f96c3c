import numpy as np

from galileomix._model.class_calibration import TEMPERATURES, temperature

OWN = np.eye(2)
ONCE = np.ones(4)


def test_evidence_that_is_counted_twice_is_halved():
    """Three of four records are of the class that odds of 9 to 1 speak for: 3 to 1 is right."""
    joint = np.tile(np.log([0.9, 0.1]), (4, 1))
    found = temperature(joint, OWN, np.array([0, 0, 0, 1]), ONCE)
    assert abs(found - 2.0) < 1e-9


def test_records_that_are_all_right_leave_it_at_one():
    joint = np.log([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]])
    assert temperature(joint, OWN, np.array([0, 0, 1, 1]), ONCE) == TEMPERATURES[0] == 1.0


def test_rounding_decides_nothing_where_every_temperature_is_as_good():
    joint = np.array([[0.0, -1e-12], [-1e-12, 0.0]])
    assert temperature(joint, OWN, np.array([1, 0]), np.ones(2)) == 1.0
