"""Moved; see `gaussian`."""

from galileomix._model.gaussian import conditional_moments as unknown
from galileomix._model.gaussian import draw as draw_unknown
from galileomix._model.gaussian import expected, patterns

__all__ = ["draw_unknown", "expected", "patterns", "unknown"]
