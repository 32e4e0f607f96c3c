"""Colours that everybody tells apart, on paper too."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb

from galileomix.plots import _drawing, _profile_plot

# How colours look without one kind of cone, on linear light: Machado, Oliveira, Fernandes (2009).
SIGHT = {
    "all cones": np.eye(3),
    "no red cones": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green cones": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
}
TO_XYZ = [[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]]


def linear(color):
    rgb = np.array(to_rgb(color))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(color, sight):
    light = np.clip(np.array(SIGHT[sight]) @ linear(color), 0.0, 1.0)
    x, y, z = np.cbrt(np.array(TO_XYZ) @ light / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one, other):
    low, high = sorted(float(np.array(TO_XYZ[1]) @ linear(color)) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight):
    for one, other in combinations((*_drawing.COLORS, _drawing.PALE), 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 10, (one, other)


def test_shades_darken_in_grey_too():
    shades = colormaps[_drawing.SHADES](np.linspace(0, 1, 11))
    assert (np.diff([lab(shade, "all cones")[0] for shade in shades]) < 0).all()


def test_text_can_be_read():
    assert contrast(_drawing.INK, "white") > 7
    shades = colormaps[_drawing.SHADES]
    for value in np.linspace(0, 1, 101):
        ink = "white" if value >= _profile_plot.DARK else "black"
        assert contrast(ink, shades(value)) >= 4.5, value
