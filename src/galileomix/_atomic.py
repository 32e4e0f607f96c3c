"""Files that are replaced whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Generator
from typing import IO

OPEN_FILES = "/proc/self/fd"


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Generator[IO[bytes]]:
    """Open a new file that replaces another one when the block ends without an error.

    After an error the old file is as it was, and nothing is left beside it. The new file gets the
    permissions of the old one, and is on the disk before it gets its name. A link is followed.
    What is no regular file is not replaced.

    Raises
    ------
    OSError
        Where no file can be written there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "table.csv")
    ...     with replacing(path) as file:
    ...         written = file.write(b"a,b")
    ...         before = os.path.exists(path)
    ...     before, os.listdir(folder)
    (False, ['table.csv'])
    """
    check_replaceable(path)
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    temporary = os.path.join(folder, f".galileo-{secrets.token_hex(8)}.tmp")
    try:
        with _new(temporary) as file:
            _copy_mode(target, file)
            yield file
            file.flush()
            os.fsync(file.fileno())
            _name(file, temporary)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def check_replaceable(path: str | os.PathLike[str]) -> None:
    """Raise OSError where there is something that is no regular file, or a link to such a thing."""
    check_name(path)
    try:
        mode = os.stat(path).st_mode
    except OSError:  # what cannot be written there is said where it is written
        return
    if stat.S_ISREG(mode):
        return
    kind = "directory" if stat.S_ISDIR(mode) else "device" if _is_device(mode) else "pipe or socket"
    code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
    raise OSError(code, f"this is a {kind}, not a file to write", os.fspath(path))


def check_name(path: str | os.PathLike[str]) -> None:
    """Raise OSError where no file can have this name, for which Python has a ValueError."""
    try:
        possible = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise OSError(errno.EINVAL, "no file can have this name", os.fspath(path))


def _is_device(mode: int) -> bool:
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def _new(temporary: str) -> IO[bytes]:
    """Open a new file, without a name where the system can: a killed process leaves none behind."""
    folder = os.path.dirname(temporary)
    if hasattr(os, "O_TMPFILE") and os.path.isdir(OPEN_FILES):
        with contextlib.suppress(OSError):
            return open(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    try:
        return open(temporary, "xb")
    except OSError as error:  # users know the folder, not the temporary file
        raise OSError(error.errno, error.strerror, folder) from None


def _name(file: IO[bytes], temporary: str) -> None:
    """Name a file that has no name."""
    if os.path.lexists(temporary):
        return
    folder = os.open(os.path.dirname(temporary), os.O_RDONLY)
    try:  # only with a folder does Python follow the link, which is what names the file itself
        source = f"{OPEN_FILES}/{file.fileno()}"
        os.link(source, os.path.basename(temporary), dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _copy_mode(path: str, file: IO[bytes]) -> None:
    """Give a new file the permissions of an old one, where there is one."""
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):
            os.fchmod(file.fileno(), stat.S_IMODE(os.stat(path).st_mode))


def _sync_folder(folder: str) -> None:
    """Make sure that a new name is on the disk, where the system can (Windows cannot)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
