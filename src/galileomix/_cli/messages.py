"""Messages as whoever typed a command reads them: options instead of parameters of Python."""

from __future__ import annotations

import re
from collections.abc import Mapping

import click

OPTIONS_OF_CSV = {"header": "--no-header", "separator": "--separator", "encoding": "--encoding"}
"""The options for the parameters of `Csv`."""
OTHER_NAMES = {"random_state": "seed"}
"""Parameters of Python whose options have other names."""
BY_PROGRESS = "by its progress function"
"""How a search says that it was stopped; of a command's search that is what Ctrl-C does."""
ORDER = re.compile(r"ordered=\{'([^']*)': \[\.\.\.\]\}")
"""How an order is given in Python."""
STDIN = re.compile(r"'[^']*galileo-[^'/]*/stdin(\.\w+)*'")
"""The copy of stdin that is read."""
VALUE = r"(?:'[^']*'|\[[^]]*\]|[^\s:;,)`]+)"
# In this order: a call of Csv; a parameter in backticks; what is in quotes, which stays; a
# parameter with a key or a value; one whose name cannot be another word; one that does something.
PATTERN = re.compile(
    r"Csv\(path, (?P<csv>\w+)=[^)]*\)"
    rf"|`(?P<quoted>\w+)(?:=(?P<quoted_value>{VALUE}))?`"
    r"|'(?:[^'\\]|\\.)*'"
    rf"|\b(?P<keyed>\w+)\['(?P<key>[^']*)'\]="
    rf"|\b(?P<given>\w+)=(?P<value>{VALUE})"
    r"|\b(?P<name>\w+_\w+)\b"
    r"|\b(?P<subject>\w+)(?= (?:names|holds|has the key|and \w+ both name|'[^']*':) ?)"
    r"|(?<=and )(?P<second>\w+)(?= both name )"
)


def options_of(program: click.Group) -> dict[str, click.Option]:
    """Return the options of all commands by the names of their parameters."""
    commands = program.commands.values()
    options = [found for command in commands for found in command.params]
    return {str(found.name): found for found in options if isinstance(found, click.Option)}


def as_typed(
    message: str, options: Mapping[str, click.Option], command: click.Command | None = None
) -> str:
    """Return a message with options where it names parameters.

    What is no option of the `command` that was typed is said to be one of ``galileo fit``.

    Examples
    --------
    >>> given = {"missing_values": click.Option(["--missing-value", "missing_values"])}
    >>> as_typed("'NA' is no number; name it in `missing_values`", given)
    "'NA' is no number; name it in --missing-value"
    >>> as_typed("if there is no header, say so: Csv(path, header=False)", given)
    'if there is no header, say so: --no-header'
    """

    def replaced(found: re.Match[str]) -> str:
        parts = found.groupdict()
        if parts["csv"]:
            return OPTIONS_OF_CSV.get(parts["csv"], found[0])
        names = ("quoted", "keyed", "given", "name", "subject", "second")
        name = next((parts[group] for group in names if parts[group]), "")
        name = OTHER_NAMES.get(name, name)
        option = options.get(name) or options.get(f"no_{name}")
        if option is None:
            return found[0]
        shown = max(option.opts, key=len)
        if command is not None and option.name not in {found.name for found in command.params}:
            shown = f"{shown} of galileo fit"
        if parts["keyed"]:
            return f"{shown} {parts['key']}="
        value = parts["quoted_value"] or parts["value"] or ""
        value = value.strip("'") if value.strip("'").isalnum() else value
        return f"{shown} {value}" if value and not option.is_flag else shown

    message = STDIN.sub("standard input", message)
    message = ORDER.sub(r"--ordered \1=LOWEST,...,HIGHEST", message)
    return PATTERN.sub(replaced, message.replace(BY_PROGRESS, "by Ctrl-C"))
