"""What is remembered of passes and searches, so that a fit that was killed can be taken up again.

A search is a function of the data, the parameters and the seed. So it is enough to remember what
its dear parts found: cheap ones are computed again and find the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Journal(Protocol):
    """Remembers what runs of passes found, and the state of searches between their steps."""

    @property
    def seconds(self) -> float:
        """The time that the fit took before it was taken up again."""
        ...

    def once(self, asked: object, run: Callable[[], T]) -> T:
        """Return what a run finds, or found before; ``asked`` is all that it depends on."""
        ...

    def resumed(self, given: Mapping[str, Any]) -> Any:
        """Begin a search; return its state as it was kept last, or None.

        ``given`` are objects that are no part of the state, by name.
        """
        ...

    def keep(self, state: object, given: Mapping[str, Any]) -> None:
        """Keep the state of the search that is under way, if that is worth its time."""
        ...


class NoJournal:
    """Remembers nothing."""

    seconds = 0.0

    def once(self, asked: object, run: Callable[[], T]) -> T:
        """Return what a run finds."""
        return run()

    def resumed(self, given: Mapping[str, Any]) -> Any:
        """Return None: there is no state of any search."""
        return None

    def keep(self, state: object, given: Mapping[str, Any]) -> None:
        """Keep nothing."""


NO_JOURNAL = NoJournal()
