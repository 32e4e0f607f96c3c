"""How much memory a fit may take: what the user says, or half of what there is."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from galileomix.errors import ParameterError

UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
SIZE = re.compile(r"\s*(\d{1,30}(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", re.IGNORECASE)
DEFAULT_SHARE = 0.5
IF_UNKNOWN = 4 * 1024**3
"""The memory assumed where the system does not say."""
CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUPS = Path("/proc/self/cgroup")


def bytes_of(memory_limit: int | str | None) -> int:
    """Return a limit in bytes; None is half of the memory that this process may use.

    Examples
    --------
    >>> bytes_of("500MB"), bytes_of("1.5 GiB"), bytes_of(1000)
    (500000000, 1610612736, 1000)
    """
    if memory_limit is None:
        return int(DEFAULT_SHARE * available())
    given: Any = memory_limit
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and given > 0:
        return int(given)
    match = SIZE.fullmatch(given) if isinstance(given, str) else None
    if match is None or float(match[1]) == 0:
        raise ParameterError(
            f"memory_limit={memory_limit!r}: give a number of bytes, a text such as '500MB', "
            f"or None for half of the memory that is available"
        )
    unit = UNITS[match[2].upper()] if not match[3] else 1024 ** "KMGT".find(match[2].upper()) * 1024
    return int(float(match[1]) * unit)


def available() -> int:
    """Return the memory that this process may use, in bytes.

    That is the memory of the machine, or less where a container or ``ulimit -v`` sets a limit.
    """
    return min([_of_machine(), *_of_cgroups(), *_of_address_space()])


def _of_machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return IF_UNKNOWN


def _of_cgroups() -> Iterator[int]:
    """Yield the limits of the control groups that hold this process, as containers set them.

    A group is limited by every group above it. Inside a container the path may be that of the
    host, which cannot be seen; the container's own group is then the root.
    """
    for line in _text(OWN_CGROUPS).splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            root, name = CGROUPS, "memory.max"  # version 2
        elif "memory" in controllers.split(","):
            root, name = CGROUPS / "memory", "memory.limit_in_bytes"  # version 1
        else:
            continue
        group = root / path.strip("/")
        for folder in (group, *group.parents):
            limit = _text(folder / name).strip()
            if limit.isdecimal():  # not "max"
                yield int(limit)
            if folder == root:
                break


def _of_address_space() -> Iterator[int]:
    try:
        import resource  # not on Windows
    except ImportError:
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        yield limit


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
