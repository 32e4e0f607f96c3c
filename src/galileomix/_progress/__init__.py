"""Progress: one record of how far long work has come, and how it is shown."""

from galileomix._progress.displays import ProgressOption, shown
from galileomix._progress.parts import Parts
from galileomix._progress.progress import Progress, Report, untimed

__all__ = ["Parts", "Progress", "ProgressOption", "Report", "shown", "untimed"]
