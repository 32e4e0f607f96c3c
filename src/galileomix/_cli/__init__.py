"""The command line: one module of commands for each purpose, and what they read, write and show."""

from galileomix._cli.stop import answer_at_once

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code.

    Without arguments it is the program itself, which signals may end from here on: while the
    commands are imported, and after they are done.
    """
    if arguments is None:
        answer_at_once()
    from galileomix._cli.program import main as run

    run(arguments)
