"""Work in a process of its own, which is ended where it takes too long."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

TOO_LONG = "took longer than {} s"
DIED = "the process died with code {}"
FIRST = 120.0
"""Seconds that a new process has besides: to import, and to compile for this machine."""
SHARED = 10.0
"""A machine that is busy otherwise may take so many times as long as the processor itself."""


class Worker:
    """A process that calls one function again and again.

    A call may take so many seconds of the processor, and `SHARED` times as many by the clock.
    """

    def __init__(self, task: Callable[..., Any], seconds: float) -> None:
        self.task, self.seconds = task, seconds
        self._start()

    def _start(self) -> None:
        context = get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self.task), daemon=True)
        self._process.start()
        theirs.close()
        self.extra = FIRST

    def __call__(self, *arguments: Any) -> tuple[Any, str, float]:
        """Return what the function returned, what went wrong, and how many seconds it took."""
        took = limit = self.seconds + self.extra
        problem = TOO_LONG.format(self.seconds)
        try:
            self._ours.send((limit, arguments))
            if self._ours.poll(SHARED * limit):
                (answer, took), self.extra = self._ours.recv(), 0.0
                if took <= limit:
                    return answer, "", took
        except (EOFError, OSError):
            self._process.join()
            if self._process.exitcode != -signal.SIGPROF:
                problem = DIED.format(self._process.exitcode)
        self.end()
        self._start()
        return None, problem, took

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()
        self._ours.close()


def _serve(pipe: Connection, task: Callable[..., Any]) -> None:
    while True:
        limit, arguments = pipe.recv()
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, limit)  # whose signal ends the process
        answer = task(*arguments)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        pipe.send((answer, time.process_time() - begun))
