"""How loops are compiled, and where numba stores what it compiled."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from galileomix.errors import GalileoError

try:
    from numba import config as numba_config
    from numba import njit
except ValueError as error:  # of a variable in the environment
    raise GalileoError(f"numba does not start: {error} Look at NUMBA_NUM_THREADS") from error

config: Any = numba_config  # its attributes are made when it is imported
if config.DISABLE_JIT:
    raise GalileoError("NUMBA_DISABLE_JIT is set, and Galileo cannot run uncompiled: unset it")


def compiler(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles functions and stores them, wherever there is room.

    Examples
    --------
    >>> twice = compiler()(lambda x: 2 * x)
    >>> twice(3)
    6
    """
    return partial(_compiled, options)


def _compiled(options: dict[str, Any], function: Any) -> Any:
    stored = njit(nogil=True, cache=True, **options)
    with suppress(RuntimeError):
        return stored(function)
    # Neither beside the source nor in a home can a file be written.
    usual, config.CACHE_DIR = config.CACHE_DIR, _own_folder()
    try:
        return stored(function)
    except RuntimeError:
        return njit(nogil=True, **options)(function)
    finally:
        config.CACHE_DIR = usual


def _own_folder() -> str:
    """Return a temporary folder that only this user can write to; "" where there is none.

    What numba loads from it is run.
    """
    with suppress(OSError, AttributeError):  # Windows has no numbers of users, but always homes
        folder = os.path.join(tempfile.gettempdir(), f"galileomix-{os.getuid()}")
        with suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        found = os.lstat(folder)
        private = found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700
        return folder if private and stat.S_ISDIR(found.st_mode) else ""
    return ""
