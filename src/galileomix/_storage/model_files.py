"""Model files on disk: written whole or not at all, and read within limits."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Generator
from typing import IO

from galileomix._fitted.state import State
from galileomix._storage.container import HASH, check_opening, pack, unpack
from galileomix._storage.document import from_document, to_document
from galileomix.errors import ModelFileError

FilePath = str | os.PathLike[str]

MOST_BYTES = 1 << 32
"""The largest file that is read unless the caller allows more."""
OPEN_FILES = "/proc/self/fd"


def write(state: State, path: FilePath) -> None:
    """Write a model; a file that was there is replaced at once, or stays whole."""
    with _naming(path):
        manifest, arrays = to_document(state)
        data = pack(manifest, arrays)
        # What could not be loaded is not written.
        from_document(*unpack(bytes(data)))
        _replace(os.path.realpath(path), data)


def read(path: FilePath, max_bytes: int = MOST_BYTES) -> State:
    """Read a model; nothing that the file says is believed before it is checked."""
    with _naming(path):
        return from_document(*unpack(_contents(path, max_bytes)))


def _contents(path: FilePath, max_bytes: int) -> bytes:
    kind = os.stat(path).st_mode
    if stat.S_ISDIR(kind):
        raise ModelFileError("this is a directory, not a Galileo model")
    if not stat.S_ISREG(kind):  # a pipe or a device has no size, and may have no end
        raise ModelFileError("this is not a regular file")
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        opening = file.read(HASH.stop)
        check_opening(opening, size)
        if size > max_bytes:
            raise ModelFileError(
                f"the file has {size} bytes, more than the {max_bytes} that are allowed; "
                f"pass max_bytes to read it"
            )
        return opening + file.read(size - len(opening))


def _replace(path: str, data: bytearray) -> None:
    """Write a new file, make sure it is on the disk, and give it the name of the old one."""
    if os.path.isdir(path):
        raise ModelFileError("this is a directory, not a file to write")
    folder = os.path.dirname(path)
    temporary = os.path.join(folder, f".galileo-{secrets.token_hex(8)}.tmp")
    try:
        with _new(temporary) as file:
            _keep_mode(path, file)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            _name(file, temporary)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _new(temporary: str) -> IO[bytes]:
    """Open a new file, without a name where the system can: a killed process leaves none behind."""
    if hasattr(os, "O_TMPFILE") and os.path.isdir(OPEN_FILES):
        with contextlib.suppress(OSError):
            handle = os.open(os.path.dirname(temporary), os.O_TMPFILE | os.O_WRONLY, 0o666)
            return open(handle, "wb")
    return open(temporary, "xb")


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


def _keep_mode(path: str, file: IO[bytes]) -> None:
    """Give the new file the permissions of the old one, where there is one."""
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):
            os.fchmod(file.fileno(), stat.S_IMODE(os.stat(path).st_mode))


def _sync_folder(folder: str) -> None:
    """Make sure that the new name is on the disk, where the system can (Windows cannot)."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _naming(path: FilePath) -> Generator[None]:
    """Say which file it was."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(error.problem, file=os.fspath(path)) from error
    except FileNotFoundError as error:
        missing = "no such file" if error.filename == os.fspath(path) else "no such folder"
        raise ModelFileError(missing, file=os.fspath(path)) from error
    except OSError as error:
        raise ModelFileError(error.strerror or str(error), file=os.fspath(path)) from error
