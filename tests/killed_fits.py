"""Fits that are killed at chosen steps, by a clock that ticks whenever it is looked at."""

from contextlib import contextmanager
from itertools import count
from unittest.mock import patch

import numpy as np

from galileomix._storage import checkpoint
from galileomix._storage.step_files import StepFiles

TICKS = 25.0
"""Looks at the clock after which work is worth a file: some runs of EM are, most are not."""


class Killed(BaseException):
    """Ends a fit wherever it is, as a signal does."""


def kill():
    raise Killed


@contextmanager
def kept(killed_after=None, kill=kill):
    """Keep steps by a clock that ticks when looked at; yield a list of those that are written."""
    ticking, written, write = map(float, count()), [], StepFiles.write

    def noted(files, place, manifest, arrays):
        write(files, place, manifest, arrays)
        written.append(place)
        if len(written) == killed_after:
            kill()

    with (
        patch.object(checkpoint, "clock", lambda: next(ticking)),
        patch.object(checkpoint, "LEAST", TICKS),
        patch.object(checkpoint, "WORTH", 0.0),
        patch.object(StepFiles, "write", noted),
        patch("os.fsync", lambda handle: None),
    ):
        yield written


def same(model, other):
    """Whether two fitted models are the same to the bit, and searches took the same passes."""
    names = ("n_passes_", "path_", "n_iter_", "predictive_weights_")
    return (
        all(getattr(model, name) == getattr(other, name) for name in names)
        and model.search_.trace == other.search_.trace
        and model.search_.kicks == other.search_.kicks
        and all(
            np.array_equal(getattr(model.at(k)._model.mixture, name), expected)
            for k in other.path_.sizes
            for name, expected in vars(other.at(k)._model.mixture).items()
            if isinstance(expected, np.ndarray)
        )
    )
