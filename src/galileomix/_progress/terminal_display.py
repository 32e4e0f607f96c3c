"""Progress on a terminal: one line on stderr that is gone when the work is done."""

from __future__ import annotations

from rich import progress
from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Column

from galileomix._progress.progress import Progress

PER_SECOND = 8
"""How often the line is drawn."""
BAR_WIDTH = 10


class TerminalDisplay:
    """Shows a spinner, a bar, what there is to say, and the time left where it is known.

    What is printed on stderr in the meantime comes above the line. What is printed on stdout is
    left alone: it may go to a file.
    """

    def __init__(self, name: str = "", console: Console | None = None) -> None:
        said = Column(ratio=1, no_wrap=True, overflow="ellipsis")
        left = Column(no_wrap=True)
        self._line = progress.Progress(
            progress.SpinnerColumn(),
            _ShareColumn(),
            progress.TextColumn("{task.description}", markup=False, table_column=said),
            progress.TextColumn("{task.fields[left]}", markup=False, table_column=left),
            console=console or Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            refresh_per_second=PER_SECOND,
            expand=True,
        )
        self._name = name
        self._task = self._line.add_task(name, total=None, left="", share=None)
        self._line.start()

    def show(self, step: Progress) -> None:
        """Take over what the line says; it is drawn a few times a second."""
        said = ": ".join(filter(None, (self._name, step.doing)))
        self._line.update(self._task, description=said, left=step.left, share=step.share)

    def close(self, finished: bool) -> None:
        """Remove the line."""
        self._line.stop()


class _ShareColumn(progress.ProgressColumn):
    """A bar that is filled as far as the work is done, and moves where that is not known.

    The task itself is never complete, so that its spinner turns until the end.
    """

    def render(self, task: progress.Task) -> ProgressBar:
        share = task.fields["share"]
        return ProgressBar(
            total=1.0,
            completed=share or 0.0,
            width=BAR_WIDTH,
            pulse=share is None,
            animation_time=task.get_time(),
        )
