"""Model files on disk: written whole or not at all, and read within limits."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Generator

from galileomix._atomic import check_name, replacing
from galileomix._storage.container import HASH, check_opening, pack, unpack
from galileomix._storage.document import from_document, to_document
from galileomix._storage.saved_model import SavedModel
from galileomix.errors import ModelFileError

FilePath = str | os.PathLike[str]

MOST_BYTES = 1 << 32
"""The largest file that is read unless the caller allows more."""


def write(saved: SavedModel, path: FilePath) -> None:
    """Write a model; a file that was there is replaced at once, or stays whole."""
    with _naming(path):
        manifest, arrays = to_document(saved)
        data = pack(manifest, arrays)
        # What could not be loaded is not written.
        from_document(*unpack(bytes(data)))
        with replacing(path) as file:
            file.write(data)


def read(path: FilePath, max_bytes: int = MOST_BYTES) -> SavedModel:
    """Read a model; nothing that the file says is believed before it is checked."""
    with _naming(path):
        return from_document(*unpack(contents(path, max_bytes)))


def contents(path: FilePath, max_bytes: int) -> bytes:
    """Return the bytes of a regular file that begins as a model does, within a limit."""
    check_name(path)
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise ModelFileError("this is a directory, not a Galileo model")
    if not stat.S_ISREG(mode):  # a pipe or a device has no size, and may have no end
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
