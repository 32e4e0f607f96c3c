"""Which way progress is shown: on a terminal, in a notebook, or as lines of a log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Protocol

from galileomix._progress.progress import Progress, Report

ProgressOption = bool | Callable[[Any], Any]
"""The parameter ``progress`` of an estimator: False, True to show it, or a function."""


class Display(Protocol):
    """What shows progress to a person."""

    def show(self, step: Progress) -> None:
        """Show how far the work has come, unless something was shown a moment ago."""
        ...

    def close(self, finished: bool) -> None:
        """End, with the last progress where a display stays; say whether the work is finished."""
        ...


@contextmanager
def shown(progress: ProgressOption, name: str = "") -> Generator[Report | None]:
    """Give what is called with progress: a function as it is, a display, or None where it is off.

    ``name`` is what the work is about, such as a file.
    """
    if not isinstance(progress, bool):
        yield progress
        return
    if not progress:
        yield None
        return
    display = display_here(name)
    try:
        yield display.show
    except BaseException:
        display.close(finished=False)
        raise
    display.close(finished=True)


def display_here(name: str = "") -> Display:
    """Return the display that suits where this process shows its messages."""
    if _in_notebook():
        from galileomix._progress.notebook_display import NotebookDisplay

        return NotebookDisplay(name)
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        from galileomix._progress.terminal_display import TerminalDisplay

        return TerminalDisplay(name)
    from galileomix._progress.log_display import LogDisplay

    return LogDisplay(name)


def _in_notebook() -> bool:
    """Whether this is a kernel of a notebook, which shows HTML."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")
