"""The files of a checkpoint: one says of which fit it is, the others hold its steps.

Each is written as a model file is: whole or not at all, with a hash over every bit.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from galileomix._atomic import replacing
from galileomix._storage.container import FORMAT_VERSION, Arrays, pack, unpack
from galileomix._storage.model_files import MOST_BYTES, contents
from galileomix._version import __version__
from galileomix._warn import warn
from galileomix.errors import CheckpointError, GalileoWarning, ModelFileError

FIT = "fit.galileo"
STEP = re.compile(r"step-(\d+)-(\d+)-(\d+)\.galileo")
LEFT_BEHIND = re.compile(r"\.galileo-[0-9a-f]+\.tmp")
"""What a killed process may leave where files need names (see `_atomic`)."""


class Place(NamedTuple):
    """Where a step is: in which search, after which state of it, after how many runs of passes.

    The state itself is at 0.
    """

    search: int
    state: int
    run: int

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"step-{self.search:03}-{self.state:06}-{self.run:08}.galileo"


class StepFiles:
    """The steps of one fit, in a directory; ``identity`` says which fit it is."""

    def __init__(self, folder: Path, identity: str) -> None:
        self._folder, self._identity = folder, identity
        self.places = set(_places(folder))

    def write(self, place: Place, manifest: Mapping[str, Any], arrays: Arrays) -> None:
        """Write a step."""
        _write(self._folder / place.file, {"fit": self._identity, **manifest}, arrays)
        self.places.add(place)

    def read(self, place: Place) -> tuple[dict[str, Any], Arrays] | None:
        """Return a step; None, with a warning, where it is damaged."""
        path = self._folder / place.file
        try:
            manifest, arrays = unpack(contents(path, MOST_BYTES))
            if manifest.get("fit") == self._identity:
                return manifest, arrays
            problem = "it is a step of another fit"
        except ModelFileError as error:
            problem = error.problem
        except OSError as error:
            problem = error.strerror or str(error)
        self.ignore(place, problem)
        return None

    def ignore(self, place: Place, problem: str) -> None:
        """Warn of a step that cannot be used, and remove it."""
        path = str(self._folder / place.file)
        warn(f"checkpoint: {path!r} is ignored and computed again: {problem}", GalileoWarning)
        self.remove({place})

    def remove(self, places: set[Place]) -> None:
        """Remove steps."""
        self.places -= places
        for place in places:
            with contextlib.suppress(OSError):
                os.unlink(self._folder / place.file)


def begin(folder: Path, fit: Mapping[str, Any]) -> None:
    """Make a directory the checkpoint of a fit that begins."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        clear(folder)
        _write(folder / FIT, {"identity": fit}, {})
    except OSError as error:
        raise CheckpointError(error.strerror or str(error), file=str(folder)) from error


def found(folder: Path) -> dict[str, Any] | None:
    """Return which fit a directory is the checkpoint of; None where it is of none."""
    try:
        held: Any = unpack(contents(folder / FIT, MOST_BYTES))[0].get("identity")
    except FileNotFoundError:
        return None
    except ModelFileError as error:
        raise CheckpointError(error.problem, file=str(folder / FIT)) from error
    except OSError as error:
        raise CheckpointError(error.strerror or str(error), file=str(folder)) from error
    if not isinstance(held, dict):
        raise CheckpointError("this is a model, not a checkpoint", file=str(folder / FIT))
    return cast("dict[str, Any]", held)


def clear(folder: Path) -> None:
    """Remove the checkpoint from its directory; whatever else is there stays."""
    steps = [place.file for place in _places(folder)]
    left = [name for name in os.listdir(folder) if LEFT_BEHIND.fullmatch(name)]
    for name in (*left, *steps, FIT):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(folder / name)


def _places(folder: Path) -> list[Place]:
    matches = filter(None, map(STEP.fullmatch, os.listdir(folder)))
    return sorted(Place(*map(int, match.groups())) for match in matches)


def _write(path: Path, manifest: Mapping[str, Any], arrays: Arrays) -> None:
    about = {"format_version": FORMAT_VERSION, "galileomix_version": __version__}
    with replacing(path) as file:
        file.write(pack({**about, **manifest}, arrays))
