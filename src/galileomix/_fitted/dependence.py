"""Which attributes carry the same information."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from galileomix._fitted.fitted_model import FittedModel
from galileomix._model import information
from galileomix._model.params import Floats, Ints

CONSTANT = 1e-9
"""In nats: what is less uncertain has one value, and the rest is rounding."""


def dependence(model: FittedModel) -> pd.DataFrame:
    """Return every pair of attributes, the most dependent first; see `Galileo.dependence`."""
    names = model.schema.names
    rows = [
        (names[a], names[b], *of_pair(model, a, b)) for a, b in combinations(range(len(names)), 2)
    ]
    frame = pd.DataFrame(rows, columns=["first", "second", "information", "share"])
    return frame.sort_values("information", ascending=False, kind="stable", ignore_index=True)


def of_pair(model: FittedModel, a: int, b: int) -> tuple[float, float]:
    """Return the ``information`` of two attributes and the ``share``, as in `dependence`."""
    mixture, places = model.mixture, (model.schema.places[a], model.schema.places[b])
    numbers = [place.number for place in places if place.number is not None]
    categories = [p.code for p in places if p.number is None and p.code is not None]
    if not categories:
        found = information.between_numbers(mixture, *numbers)
        return found, 1.0 - float(np.exp(-2.0 * found))
    if numbers:
        found = information.with_number(mixture, *categories, *numbers)
    else:
        found = information.between_categories(mixture, *categories)
    if found == 0.0:
        return 0.0, 0.0
    most = min(information.entropy(mixture.values_of(m) @ mixture.alpha) for m in categories)
    return found, min(found / most, 1.0) if most > CONSTANT else 0.0


def side_by_side(shares: Floats) -> Ints:
    """Return an order in which attributes that depend on each other are neighbours."""
    if len(shares) < 3:
        return np.arange(len(shares))
    apart = squareform(1.0 - np.clip(shares, 0.0, 1.0), checks=False)
    return leaves_list(linkage(apart, "average", optimal_ordering=True))
