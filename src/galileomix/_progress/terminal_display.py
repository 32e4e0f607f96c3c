"""Progress on a terminal: one line on stderr that is gone when the work is done."""

from __future__ import annotations

from rich import progress
from rich.console import Console
from rich.table import Column

from galileomix._progress.progress import Progress

PER_SECOND = 8
"""How often the line is drawn."""


class TerminalDisplay:
    """Shows a spinner, a bar where it is known how much is done, and what there is to say.

    What is printed on stderr in the meantime comes above the line. What is printed on stdout is
    left alone: it may go to a file.
    """

    def __init__(self, name: str = "", console: Console | None = None) -> None:
        said = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        left = Column(no_wrap=True)
        self._shown = progress.Progress(
            progress.SpinnerColumn(),
            progress.BarColumn(bar_width=10),
            progress.TextColumn("{task.description}", markup=False, table_column=said),
            progress.TextColumn("{task.fields[left]}", markup=False, table_column=left),
            console=console or Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            refresh_per_second=PER_SECOND,
            expand=True,
        )
        self._name = name
        self._task = self._shown.add_task(name, total=None, left="")
        self._shown.start()

    def show(self, step: Progress) -> None:
        """Take over what the line says; it is drawn a few times a second."""
        said = ": ".join(filter(None, (self._name, step.doing)))
        bar = (None, 0.0) if step.share is None else (1.0, step.share)
        self._shown.update(
            self._task, description=said, total=bar[0], completed=bar[1], left=step.left
        )

    def close(self, finished: bool) -> None:
        """Remove the line."""
        self._shown.stop()
