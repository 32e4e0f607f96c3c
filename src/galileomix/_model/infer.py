"""Moved; see `families` and `categorical`."""

from galileomix._model.categorical import distinction
from galileomix._model.categorical import draw as draw_codes
from galileomix._model.families import sample, smoothed

__all__ = ["distinction", "draw_codes", "sample", "smoothed"]
