"""Where the numbers of an attribute lie: the axis that their curves are drawn along.

Curves are drawn on the scale on which the model has them, so that those of components are normal
distributions. The page needs the ends of the axis, a few labels, and two figures for each curve.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from galileomix._fitted.visible_text import shown
from galileomix._model.params import Mixture
from galileomix._table import Numeric
from galileomix._words import shown_number

POINTS = 512
OUTSIDE = 0.002
"""The share of the records that lies beyond each end of an axis."""
LABELS = 4
FARTHEST = 4.0
"""In deviations of a component: where an end is looked for."""


@dataclass(frozen=True)
class Axis:
    """The ends of an axis, on the scale of the model, and labels at shares of its length."""

    low: float
    high: float
    labels: tuple[str, ...]


def axis_of(attribute: Numeric, mixture: Mixture, q: int) -> Axis | None:
    """Return the axis of a number; None where it is the same in all records."""
    if q in mixture.layout.constant:
        return None
    mean, deviation = mixture.mu[q], np.sqrt(mixture.var[q])
    ends = (mean - FARTHEST * deviation).min(), (mean + FARTHEST * deviation).max()
    points = np.linspace(*ends, POINTS)
    below = ndtr((points[:, None] - mean) / deviation) @ mixture.alpha
    inside = points[(below >= OUTSIDE) & (below <= 1.0 - OUTSIDE)]
    low, high = (inside[0], inside[-1]) if len(inside) > 1 else ends
    low = min(max(low, _least(attribute)), high)
    places = attribute.original(np.linspace(low, high, LABELS))
    step = float(np.ptp(places)) / LABELS
    labels = (shown(shown_number(float(place), attribute.unit, step)) for place in places)
    return Axis(round(float(low), 4), round(float(high), 4), tuple(labels))


def _least(attribute: Numeric) -> float:
    """Return zero on the scale of the model where no number is below it."""
    if not attribute.positive:
        return -np.inf
    return float(replace(attribute, spike=None).standardised(np.zeros(1))[0])
