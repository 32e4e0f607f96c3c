"""Warnings that name the line of the user, wherever in this package they arise."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import sklearn

# scikit-learn stands between in its own `fit_predict`, in pipelines and in searches.
BETWEEN = tuple(f"{Path(file).parent}{os.sep}" for file in (__file__, sklearn.__file__))


def warn(message: str, category: type[Warning]) -> None:
    """Warn, naming the line that called this package."""
    warnings.warn(message, category, stacklevel=_levels())


def _levels() -> int:
    """Return how far above `warn` the first line outside is, as `warnings.warn` counts."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    levels = 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(BETWEEN):
        frame, levels = frame.f_back, levels + 1
    return levels
