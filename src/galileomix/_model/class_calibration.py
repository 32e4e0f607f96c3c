"""How sure a classifier may be: a temperature, and the classes of each component.

Both are read from records that took no part in the components they are shared among: ``joint``
is log alpha_i Pr(x_a | C_i), (n, k), with each record left out of its own class.
"""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from galileomix._model.params import Floats, Ints
from galileomix._model.stats import TINY

TEMPERATURES = tuple(2.0 ** (power / 8) for power in range(33))
EQUAL = 1e-9
"""Losses that differ by less are equal: rounding must not decide where the loss is flat."""
OWN, ALL = 1.0, 0.01
"""The prior of a component's classes: records' worth of its own class, and of all classes."""
STEPS, TOL = 500, 1e-6


def temperature(joint: Floats, own: Floats, classes: Ints, weights: Floats) -> float:
    """Return T for which the classes are likeliest by softmax(joint / T).

    Attributes that depend on one another within a component count the same evidence twice, so
    that it is too sure: T > 1 makes up for that. Never below one: a few records that are all
    classified rightly would make it zero.

    ``own``, (n_classes, k), is one where a component is of the class and else zero; ``classes``
    and ``weights``, (n,), are of the records.
    """
    losses = [loss(softmax(joint / T, axis=1), own, classes, weights) for T in TEMPERATURES]
    return next(
        T for T, one in zip(TEMPERATURES, losses, strict=True) if one <= min(losses) + EQUAL
    )


def loss(shares: Floats, probabilities: Floats, classes: Ints, weights: Floats) -> float:
    """Return the log-loss of records shared among components with these class probabilities."""
    right = np.einsum("ai,ai->a", shares, probabilities[classes])
    return -float(weights @ np.log(np.maximum(right, TINY))) / max(float(weights.sum()), TINY)


def class_probabilities(
    shares: Floats, own: Floats, overall: Floats, classes: Ints, weights: Floats
) -> Floats:
    """Return P(class | component), (n_classes, k), for which the classes are likeliest.

    ::

        begin with each component's own class, and a little of all
        repeat
            E: share each record among the components, by its class too
            M: count the classes of each component, and the prior

    The likelihood has one maximum: with the shares given it is concave. ``shares``, (n, k), is
    how each record is shared among the components, whatever its class; ``overall``, (n_classes,),
    the share of each class in all records. The rest is as in `temperature`, with the classes in
    increasing order.
    """
    prior = OWN * own + ALL * overall[:, None]
    present, first = np.unique(classes, return_index=True)
    found = 0.9 * own + 0.1 * overall[:, None]
    for _ in range(STEPS):
        joint = shares * found[classes]
        joint *= (weights / np.maximum(joint.sum(axis=1), TINY))[:, None]
        counts = prior.copy()
        counts[present] += np.add.reduceat(joint, first, axis=0)
        last, found = found, counts / counts.sum(axis=0)
        if np.abs(found - last).max() < TOL:
            break
    return found
