"""The command line: parsing only. Data goes to stdout, words to stderr."""

from __future__ import annotations

import re
import signal
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import click

from galileomix import __version__
from galileomix._cli import (
    compare_command,
    fit_commands,
    query_commands,
    reproduce_command,
    row_commands,
)
from galileomix.errors import (
    GalileoError,
    GalileoWarning,
    ModelFileError,
    ParameterError,
    TableError,
)

FAILED, USAGE, BAD_DATA, BAD_MODEL, INTERRUPTED, TERMINATED = 1, 2, 3, 4, 130, 143
MOST_NOTES = 5
"""Notes of one kind to show: a table in many parts may give the same one for each."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="galileo")
def galileo() -> None:
    """Find the kinds of records in a table of categories, of numbers, or of both.

    With --debug anywhere, an error shows its traceback.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 bad data, 4 bad model file, 130 interrupted,
    143 terminated.
    """


for command in (
    *(fit_commands.demo, fit_commands.fit, compare_command.compare),
    *(row_commands.predict, row_commands.anomalies, row_commands.impute),
    *(query_commands.ask, query_commands.sample, query_commands.info, query_commands.completion),
    reproduce_command.reproduce,
):
    galileo.add_command(command)


class _Terminated(BaseException):
    """Somebody asked the process to end."""


@contextmanager
def _tidy_end() -> Generator[None]:
    """Let SIGTERM end the program by way of what must be tidied up, such as folders."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: let it tidy up
        raise _Terminated

    usual = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual or signal.SIG_DFL)


@contextmanager
def _plain_warnings() -> Generator[None]:
    """Show our own warnings as one line each, without a place in the code."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("always", GalileoWarning)
        usual, seen = warnings.showwarning, Counter[str]()

        def showwarning(message: Any, category: Any, *rest: Any, **more: Any) -> None:
            if not issubclass(category, GalileoWarning | ConvergenceWarning):
                usual(message, category, *rest, **more)
                return
            kind = re.sub(r"[0-9]+|\(.*\)", "", str(message))
            seen[kind] += 1
            if seen[kind] <= MOST_NOTES:
                more_of_it = " (further notes like this are left out)"
                last = more_of_it if seen[kind] == MOST_NOTES else ""
                click.echo(f"galileo: note: {message}{last}", err=True)

        warnings.showwarning = showwarning
        yield


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    try:
        with _tidy_end(), _plain_warnings():
            code = galileo.main(
                [each for each in given if each != "--debug"],
                prog_name="galileo",
                standalone_mode=False,
            )
    except click.exceptions.Abort:
        click.echo("galileo: interrupted", err=True)
        code = INTERRUPTED
    except _Terminated:
        click.echo("galileo: terminated", err=True)
        code = TERMINATED
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Exception as error:
        if debug:
            raise
        click.echo(f"galileo: {_in_words(error)}", err=True)
        code = _code(error)
    sys.exit(code if isinstance(code, int) else 0)


def _code(error: Exception) -> int:
    codes = ((ParameterError, USAGE), (TableError, BAD_DATA), (ModelFileError, BAD_MODEL))
    return next((code for kind, code in codes if isinstance(error, kind)), FAILED)


def _in_words(error: Exception) -> str:
    if isinstance(error, GalileoError | OSError):
        return str(error)
    return f"{type(error).__name__}: {error} (this should not happen; --debug shows where)"
