"""Fits that take little, and what tells whether two of them are the same to the last bit."""

import hashlib

import numpy as np

from galileomix import Galileo


def quick(**parameters):
    """Return an estimator that searches hardly at all, with other parameters where given."""
    given = {"effort": 0.01, "max_components": 2, "predictive": "chosen", "random_state": 0}
    return Galileo(**{**given, **parameters})


def bits(model):
    """Return a hash of all parameters of the models of all sizes."""
    found = hashlib.sha256(repr(model.schema_).encode())
    for k, mixture in sorted(model._model.mixtures.items()):
        for array in (mixture.alpha, mixture.p, mixture.mu, mixture.Sigma):
            found.update(f"{k} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return found.hexdigest()
