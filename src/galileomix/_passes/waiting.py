"""Something that a thread waits for, while whoever wants it looks whether it can come at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Waiting(Generic[T]):
    """What a function returns, in a thread: one that cannot be ended can be left alone."""

    def __init__(self, ask: Callable[[], T], thread: Any = threading.Thread) -> None:
        self.ended = threading.Event()
        self._ask, self._found, self._error = ask, cast(Any, None), cast(Any, None)
        thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._found = self._ask()
        except BaseException as error:  # whoever waits is to have it
            self._error = error
        finally:
            self.ended.set()

    def result(self) -> T:
        """Return what was found, or raise what went wrong."""
        if self._error is not None:
            raise self._error
        return self._found
