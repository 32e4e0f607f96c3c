"""How the program ends when it is stopped: soon, and with nothing left behind.

From its first line on, SIGINT and SIGTERM end it (`answer_at_once`). A search ends with what it
has found when it is interrupted for the first time (`searching`).
Python looks for signals between its own instructions, and one call of a library may take long. So
a signal also wakes a thread, which gives the main thread a moment to end by itself and then ends
the process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

FOLDERS = "galileomix._table.folder"
"""The module that makes temporary folders, by name: importing it takes longer than --help."""
INTERRUPTED, TERMINATED = 130, 143
CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
MESSAGES = {INTERRUPTED: "galileo: interrupted", TERMINATED: "galileo: terminated"}
PATIENCE = 0.5
"""Seconds that the main thread has to end by itself."""
SHOW_CURSOR = "\x1b[?25h"
"""What a terminal shows its cursor for, which a status line hides."""


KEPT = "galileo: interrupted; the best model so far is kept (Ctrl-C again to abort) ..."


class _Interrupts:
    """What SIGINT means at the moment."""

    searching = False  # whether a search is running, which can end by itself
    asked = False  # whether it was asked to
    ended_by: BaseException | None = None  # what the first signal that ends the program raised


_INTERRUPTS = _Interrupts()


@contextmanager
def searching() -> Generator[Callable[[], bool]]:
    """Give a function that says whether a search was asked to end, and lets it be asked.

    From its first call on, the first SIGINT asks; any other ends the program.
    """
    _INTERRUPTS.asked = False

    def asked() -> bool:
        _INTERRUPTS.searching = True
        return _INTERRUPTS.asked

    try:
        yield asked
    finally:
        _INTERRUPTS.searching = False


def answer_at_once() -> None:
    """End at SIGINT or SIGTERM wherever `answering_signals` is not there to remove files first."""

    def leave(number: int, frame: Any) -> None:
        _leave(CODES[signal.Signals(number)])

    for number in CODES:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, leave)


def _leave(code: int) -> None:
    os.write(2, f"{_clear_line()}{MESSAGES[code]}\n".encode())
    os._exit(code)


def end_program(code: int) -> None:
    """Let no signal change how the program ends from here on, and end it here if one did already.

    Python takes an interrupt within some imports for one that nobody handled, and would end by it.
    """
    for number in CODES:
        signal.signal(number, signal.SIG_IGN)
    if code in MESSAGES:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class Terminated(BaseException):
    """The process was sent SIGTERM."""


@contextmanager
def answering_signals(ended: threading.Event) -> Generator[None]:
    """End soon after SIGINT or SIGTERM, whatever is being done at the time.

    SIGTERM is an exception, as SIGINT is in Python, so that temporary files are removed. The main
    thread sets ``ended`` when it has come to its end and says so itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def terminate(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # another one must not stop the removal
        _end_by(Terminated())

    def interrupt(number: int, frame: Any) -> None:
        if not _INTERRUPTS.searching or _INTERRUPTS.asked:
            _end_by(KeyboardInterrupt())
        _INTERRUPTS.asked = True
        os.write(2, f"{_clear_line()}{KEPT}\n".encode())

    usual = signal.signal(signal.SIGTERM, terminate)
    usual_interrupt = signal.signal(signal.SIGINT, interrupt)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    before = signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    threading.Thread(target=_end_in_time, args=(wake, ended), daemon=True).start()
    try:
        with _ending_by_signals():
            yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)  # which ends the thread, unless a signal came
        signal.signal(signal.SIGTERM, usual or signal.SIG_DFL)
        signal.signal(signal.SIGINT, usual_interrupt or signal.default_int_handler)


def _end_by(error: BaseException) -> None:
    _INTERRUPTS.ended_by = _INTERRUPTS.ended_by or error
    raise error


@contextmanager
def _ending_by_signals() -> Generator[None]:
    """End with the exception of a signal that was received, whatever became of it.

    An import that it interrupts may raise another one, and Python drops those in destructors.
    """

    def dropped(unraisable: Any) -> None:
        if _INTERRUPTS.ended_by is None:
            usual(unraisable)

    _INTERRUPTS.ended_by = None
    usual, sys.unraisablehook = sys.unraisablehook, dropped
    try:
        yield
    except BaseException:
        if _INTERRUPTS.ended_by is None:
            raise
    finally:
        sys.unraisablehook = usual
    if _INTERRUPTS.ended_by is not None:
        raise _INTERRUPTS.ended_by


def _end_in_time(wake: int, ended: threading.Event) -> None:
    """Wait for a signal; then end the process, if it has not ended by itself."""
    asked = False
    while number := os.read(wake, 1):
        if number[0] == signal.SIGINT and _INTERRUPTS.searching and not asked:
            asked = True
        elif number[0] in CODES:
            code = CODES[signal.Signals(number[0])]
            time.sleep(PATIENCE)
            if not ended.is_set():
                _remove_folders()
                os.write(2, f"{_clear_line()}{MESSAGES[code]}\n".encode())
            os._exit(code)
    os.close(wake)


def _clear_line() -> str:
    """Return what ends a status line, if stderr is a terminal."""
    return f"\r\x1b[K{SHOW_CURSOR}" if sys.stderr.isatty() else ""


def _remove_folders() -> None:
    """Remove temporary folders; where their module was not imported, there are none."""
    remove = getattr(sys.modules.get(FOLDERS), "remove_folders", None)
    if remove is not None:
        remove()
