"""A temporary folder that is made when it is first needed and always removed."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where no file tells whether who opened it is still there
    fcntl = None

PREFIX, LOCK = "galileo-", "in-use"
_PRESENT = set[str]()
"""Folders that are there."""


class Folder:
    """A folder below the system's temporary one (TMPDIR), for the duration of a ``with`` block.

    It is removed at the end, on an error, on Ctrl-C, and when the program ends. What a killed
    process left behind is removed by the next one that needs a folder in the same place.

    Examples
    --------
    >>> with Folder() as folder:
    ...     _ = (folder.path / "note").write_text("here")
    >>> folder.path.exists()
    False
    """

    def __init__(self) -> None:
        self._made: tempfile.TemporaryDirectory[str] | None = None
        self._lock: IO[bytes] | None = None

    @property
    def path(self) -> Path:
        """The path of the folder."""
        if self._made is None:
            self._made = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
            _PRESENT.add(self._made.name)
            self._lock = _locked(Path(self._made.name))
            _remove_abandoned(Path(self._made.name).parent)
        return Path(self._made.name)

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *error: object) -> None:
        if self._lock is not None:
            self._lock.close()
        if self._made is not None:
            self._made.cleanup()
            _PRESENT.discard(self._made.name)


def remove_folders() -> None:
    """Remove the folders of a process that ends without leaving their ``with`` blocks."""
    for path in _PRESENT.copy():
        shutil.rmtree(path, ignore_errors=True)


def _locked(folder: Path) -> IO[bytes] | None:
    """Return a file of the folder that is locked until this process ends, however it does."""
    if fcntl is None:
        return None
    new = folder / f"{LOCK}.new"
    try:
        file = open(new, "wb")  # noqa: SIM115
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        new.rename(folder / LOCK)  # so that nobody finds it who could lock it first
    except OSError:  # a disk that is full says so when blocks are written, and some have no locks
        return None
    return file


def _remove_abandoned(place: Path) -> None:
    for path in place.glob(f"{PREFIX}*"):
        if _is_abandoned(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path) -> bool:
    """Whether this is a folder of ours, and the process that made it is gone."""
    if fcntl is None:
        return False
    with suppress(OSError):
        found = path.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
            with open(path / LOCK, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    return False
