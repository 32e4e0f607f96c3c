"""What the benchmarks compute and write, without measuring anything."""

import numpy as np
import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")

from benchmarks.render import placed
from benchmarks.speed.slope import fit_power
from benchmarks.store import read, write_all


def test_slope_and_its_error_are_those_of_least_squares():
    x, y = np.array([1e4, 1e5, 1e6, 1e7]), np.array([1.1, 9.0, 105.0, 990.0])
    power = fit_power(x.tolist(), y.tolist())
    (slope, offset), covariance = np.polyfit(np.log(x), np.log(y), 1, cov="unscaled")
    left = np.log(y) - np.polyval([slope, offset], np.log(x))
    assert np.isfinite(power.exponent)
    assert power.exponent == pytest.approx(slope)
    assert power.scale == pytest.approx(np.exp(offset))
    assert power.error == pytest.approx(np.sqrt(covariance[0, 0] * np.sum(left**2) / 2))


def test_slope_needs_three_points():
    with pytest.raises(ValueError, match="three points, not 2"):
        fit_power([1, 2], [1, 2])


def test_placing_a_section_again_replaces_it_and_leaves_the_rest():
    page = placed(placed("# Page\n", "a", "First", "old"), "b", "Second", "kept")
    again = placed(page, "a", "First", r"new \1")
    assert again == page.replace("old", r"new \1")


def test_what_is_kept_in_one_file_is_read_again(tmp_path):
    kept = {name: {"jobs": 1, "records": [{"k": 2}, {"k": 3}]} for name in ("rows", "memory")}
    write_all(tmp_path / "results.json", kept)
    assert read(tmp_path / "results.json") == kept
