"""The program `galileo`: its commands, its exit codes, and how it ends when it is stopped."""

from __future__ import annotations

import io
import re
import sys
import threading
import warnings
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import click

from galileomix import __version__
from galileomix._cli.compare_command import compare
from galileomix._cli.fit_commands import demo, fit
from galileomix._cli.messages import as_typed, options_of
from galileomix._cli.query_commands import completion, info, query, sample
from galileomix._cli.report_command import report
from galileomix._cli.reproduce_command import reproduce
from galileomix._cli.row_commands import anomalies, impute, predict
from galileomix._cli.stop import (
    INTERRUPTED,
    MESSAGES,
    TERMINATED,
    Terminated,
    answering_signals,
    end_program,
)
from galileomix._fitted.visible_text import visible
from galileomix.errors import (
    CheckpointError,
    GalileoError,
    GalileoWarning,
    ModelFileError,
    ParameterError,
    TableError,
)

STDOUT = "standard output"
FAILED = 1
EXIT_CODES = ((ParameterError, 2), (TableError, 3), (ModelFileError, 4))
"""By whose fault it is: of what was typed, of the table, of a model that is read; else `FAILED`."""
CONVERGENCE = "ConvergenceWarning"
"""A warning of scikit-learn, by name: importing it takes longer than most commands."""
MOST_NOTES = 5
"""How often a note is shown: a table in many parts may give the same one for each part."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="galileo")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def galileo() -> None:
    """Find clusters in tables of categories, of numbers, or of both.

    Results go to stdout, messages to stderr.

    Exit codes: 0 success, 1 failure (such as an output that cannot be written), 2 wrong usage (an
    option, a value or a column that does not exist), 3 a table that cannot be read or used, 4 a
    model file that cannot be read, 130 interrupted, 143 terminated.
    """


for command in (
    *(demo, fit, compare),
    *(predict, anomalies, impute),
    *(query, sample, info, report, completion),
    reproduce,
):
    galileo.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    if arguments is None:
        _prepare_streams()
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    given = [argument for argument in given if argument != "--debug"]
    typed = next((galileo.commands[name] for name in given if name in galileo.commands), None)
    ended = threading.Event()
    try:
        with answering_signals(ended), _notes_for_warnings(typed):
            if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
                raise OSError("standard output is closed")
            code = galileo.main(given, prog_name="galileo", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt, Terminated) as error:
        ended.set()
        code = TERMINATED if isinstance(error, Terminated) else INTERRUPTED
        click.echo(MESSAGES[code], err=True)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except Exception as error:
        if debug:
            raise
        click.echo(f"galileo: {_message(error, typed)}", err=True)
        code = _code(error)
    code = code if isinstance(code, int) else 0
    if arguments is None:
        end_program(code)
    sys.exit(code)


def _prepare_streams() -> None:
    """Let stdout write what its encoding has no bytes for as an escape, and name its errors."""
    stdout = sys.stdout
    for stream in (stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(stdout, io.TextIOWrapper) and not stdout.isatty():
        named = io.BufferedWriter(_NamedOutput(stdout.fileno(), "w", closefd=False))
        sys.stdout = io.TextIOWrapper(named, stdout.encoding, "backslashreplace")


class _NamedOutput(io.FileIO):
    """Stdout where it is a file or a pipe: the system does not say where it cannot write."""

    failed = False  # Python tries again when it ends, and would say so in a traceback

    def write(self, data: Any) -> int:
        try:
            return len(data) if self.failed else super().write(data)
        except OSError as error:
            self.failed, error.filename = True, STDOUT
            raise


def _code(error: Exception) -> int:
    """Return by whose fault it is; what the system says of a checkpoint is of an output."""
    if isinstance(error, CheckpointError) and isinstance(error.__cause__, OSError):
        return FAILED
    return next((code for cause, code in EXIT_CODES if isinstance(error, cause)), FAILED)


def _message(error: Exception, typed: click.Command | None) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        name = STDOUT if error.filename == STDOUT else repr(error.filename)
        return f"{name}: {error.strerror}"
    if isinstance(error, GalileoError | OSError):
        said = as_typed(str(error), options_of(galileo), typed)
        return "\n".join(map(visible, said.split("\n")))
    if isinstance(error, MemoryError):
        return "not enough memory" + (f": {error}" if str(error) else "")
    return f"{type(error).__name__}: {error} (this is a bug; --debug shows the traceback)"


@contextmanager
def _notes_for_warnings(typed: click.Command | None) -> Generator[None]:
    """Show warnings of this package as notes of one line, without a line of code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", GalileoWarning)
        usual, counts = warnings.showwarning, Counter[str]()

        def showwarning(message: Any, category: Any, *rest: Any, **more: Any) -> None:
            ours = issubclass(category, GalileoWarning) or category.__name__ == CONVERGENCE
            if not ours:
                usual(message, category, *rest, **more)
                return
            pattern = re.sub(r"[0-9]+|\(.*\)", "", str(message))
            counts[pattern] += 1
            if counts[pattern] <= MOST_NOTES:
                last = " (further notes like this are not shown)"
                end = last if counts[pattern] == MOST_NOTES else ""
                note = visible(as_typed(str(message), options_of(galileo), typed))
                # Not by click, which writes past whatever shows progress.
                print(f"galileo: note: {note}{end}", file=sys.stderr, flush=True)

        warnings.showwarning = showwarning
        yield
