"""The command line: one module of commands for each purpose, and what they read, write and show."""

from galileomix._cli.program import main

__all__ = ["main"]
