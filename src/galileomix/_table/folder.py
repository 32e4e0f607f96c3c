"""A temporary folder that is made when it is first needed and always removed."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

_PRESENT = set[str]()
"""Folders that are there."""


class Folder:
    """A folder below the system's temporary one (TMPDIR), for the duration of a ``with`` block.

    It is removed at the end, on an error, on Ctrl-C, and when the program ends.

    Examples
    --------
    >>> with Folder() as folder:
    ...     _ = (folder.path / "note").write_text("here")
    >>> folder.path.exists()
    False
    """

    def __init__(self) -> None:
        self._made: tempfile.TemporaryDirectory[str] | None = None

    @property
    def path(self) -> Path:
        """The path of the folder."""
        if self._made is None:
            self._made = tempfile.TemporaryDirectory(prefix="galileo-", ignore_cleanup_errors=True)
            _PRESENT.add(self._made.name)
        return Path(self._made.name)

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *error: object) -> None:
        if self._made is not None:
            self._made.cleanup()
            _PRESENT.discard(self._made.name)


def remove_folders() -> None:
    """Remove the folders of a process that ends without leaving their ``with`` blocks."""
    for path in _PRESENT.copy():
        shutil.rmtree(path, ignore_errors=True)
