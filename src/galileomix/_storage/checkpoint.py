"""A checkpoint: what a fit remembers of its dear steps, in a directory.

Two kinds of steps are kept. The state of a search, between two of its steps, makes everything
before it needless. What a run of passes found since then (one pass, or all of EM) is kept with its
place in the order of runs and a hash of what was asked; whoever takes the fit up again asks the
same in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic as clock
from typing import Any, TypeVar

from galileomix._storage.object_graph import Written, read_again
from galileomix._storage.step_files import Place, StepFiles
from galileomix._warn import warn
from galileomix.errors import GalileoWarning, ModelFileError

T = TypeVar("T")

LEAST = 0.5
"""Seconds of work that are worth a file."""
WORTH = 50.0
"""How many times as long as writing a file what it holds must have taken."""
BAD = (ModelFileError, KeyError, IndexError, TypeError, ValueError, AttributeError)
"""What is raised where a step is whole, and yet not what it should be."""


class Checkpoint:
    """Remembers runs of passes and states of searches in files (see `Journal`)."""

    def __init__(self, files: StepFiles) -> None:
        self._files = files
        self._at = Place(0, 0, 0)
        self._began = self._kept = clock()
        self._least = LEAST
        self._broken = False
        self.seconds = self._spent()

    def _spent(self) -> float:
        """Return how long the fit had taken when the last step was kept."""
        for place in sorted(self._files.places, reverse=True):
            step = self._files.read(place)
            if step is not None and isinstance(step[0].get("seconds"), float):
                return step[0]["seconds"]
        return 0.0

    def once(self, asked: object, run: Callable[[], T]) -> T:
        """Return what a run finds, or found before; ``asked`` is all that it depends on."""
        place = self._at = self._at._replace(run=self._at.run + 1)
        if place in self._files.places:
            known = self._recalled(place, asked)
            if known is not None:
                return known[0]
        began = clock()
        found = run()
        if clock() - began >= self._least:
            self._remember(place, asked, found)
        return found

    def _recalled(self, place: Place, asked: object) -> tuple[Any] | None:
        """Return what was found at a place, if that is what is asked now."""
        step = self._files.read(place)
        if step is None:
            return None
        manifest, arrays = step
        try:
            if manifest["asked"] != _digest(asked):
                self._files.remove({place})
                return None
            found = read_again(manifest["root"], manifest["nodes"], arrays, {})
            self._at = place._replace(run=int(manifest["last"]))
        except BAD as error:
            self._files.ignore(place, str(error))
            return None
        return (found,)

    def _remember(self, place: Place, asked: object, found: object) -> None:
        """Keep what a run found; what runs inside of it found is of no more use."""
        about = {"asked": _digest(asked), "last": self._at.run}
        if self._write(place, Written(found, {}), about):
            inside = {
                other
                for other in self._files.places
                if other[:2] == place[:2] and place.run < other.run <= self._at.run
            }
            self._files.remove(inside)

    def resumed(self, given: Mapping[str, Any]) -> Any:
        """Begin a search; return its state as it was kept last, or None."""
        self._at = Place(self._at.search + 1, 0, 0)
        for place in self._states():
            state = self._state(place, given)
            if state is not None:
                self._at = place
                return state
            self._files.remove({one for one in self._files.places if one[:2] == place[:2]})
        return None

    def _state(self, place: Place, given: Mapping[str, Any]) -> Any:
        """Return the state that was kept at a place; None where it is damaged."""
        step = self._files.read(place)
        if step is None:
            return None
        try:
            return read_again(step[0]["root"], step[0]["nodes"], step[1], given)
        except BAD as error:
            self._files.ignore(place, str(error))
            return None

    def _states(self) -> list[Place]:
        """Return where states of this search are, the last one first."""
        mine = (place for place in self._files.places if place.search == self._at.search)
        return sorted((place for place in mine if not place.run), reverse=True)

    def keep(self, state: object, given: Mapping[str, Any]) -> None:
        """Keep the state of the search, and forget what came before the last state but one."""
        now = clock()
        if now - self._kept < self._least:
            return
        at = Place(self._at.search, self._at.state + 1, 0)
        if self._write(at, Written(state, given), {}):
            search, last = self._at.search, self._at.state
            mine = (place for place in self._files.places if place.search == search)
            self._files.remove({place for place in mine if place.state < last})
            self._at, self._kept = at, clock()

    def _write(self, place: Place, written: Written, about: Mapping[str, Any]) -> bool:
        """Write a step; where that is not possible, warn once and go on without."""
        if self._broken:
            return False
        began = clock()
        manifest = {"root": written.root, "nodes": written.nodes, **about}
        manifest["seconds"] = self.seconds + began - self._began
        try:
            self._files.write(place, manifest, written.arrays)
        except (OSError, ModelFileError) as error:
            self._broken = True
            warn(f"checkpoint: no further steps can be kept: {error}", GalileoWarning)
            return False
        self._least = max(LEAST, WORTH * (clock() - began))
        return True


def _digest(asked: object) -> str:
    return Written(asked, {}, calls=True).digest()
