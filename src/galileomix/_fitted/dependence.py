"""Which attributes carry the same information."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from galileomix._fitted.fitted_model import FittedModel
from galileomix._model import information
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Attribute, Categorical, Numeric, Schema

CONSTANT = 1e-9
"""In nats: what is less uncertain has one value, and the rest is rounding."""


def dependence(model: FittedModel) -> pd.DataFrame:
    """Return every pair of attributes, the most dependent first; see `Galileo.dependence`."""
    rows = [
        (first.name, second.name, *_pair(model.mixture, model.schema, first, second))
        for first, second in combinations(model.schema.attributes, 2)
    ]
    frame = pd.DataFrame(rows, columns=["first", "second", "information", "share"])
    return frame.sort_values("information", ascending=False, kind="stable", ignore_index=True)


def _pair(mixture: Mixture, schema: Schema, a: Attribute, b: Attribute) -> tuple[float, float]:
    """Return the information two attributes share, and how much of what they could share it is."""
    categories = [schema.categorical.index(x) for x in (a, b) if isinstance(x, Categorical)]
    numbers = [schema.numeric.index(x) for x in (a, b) if isinstance(x, Numeric)]
    if not categories:
        found = information.between_numbers(mixture, *numbers)
        return found, 1.0 - float(np.exp(-2.0 * found))
    if numbers:
        found = information.with_number(mixture, *categories, *numbers)
    else:
        found = information.between_categories(mixture, *categories)
    most = min(information.entropy(mixture.values_of(m) @ mixture.alpha) for m in categories)
    return found, min(found / most, 1.0) if most > CONSTANT else 0.0


def of_pair(model: FittedModel, a: int, b: int) -> tuple[float, float]:
    """Return the ``information`` of two attributes and the ``share``, as in `dependence`."""
    first, second = model.schema.attributes[a], model.schema.attributes[b]
    return _pair(model.mixture, model.schema, first, second)


def side_by_side(shares: Floats) -> Ints:
    """Return an order in which attributes that depend on each other are neighbours."""
    if len(shares) < 3:
        return np.arange(len(shares))
    apart = squareform(1.0 - np.clip(shares, 0.0, 1.0), checks=False)
    return leaves_list(linkage(apart, "average", optimal_ordering=True))
