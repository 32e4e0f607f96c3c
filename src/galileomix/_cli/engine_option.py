"""The option --engine: where a table is fitted."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import click

LOCAL = "local"
DASK = "dask://"


def _checked(context: click.Context, option: click.Parameter, text: str) -> str:
    """Refuse what is no engine."""
    host, _, port = text.removeprefix(DASK).rpartition(":")
    if text != LOCAL and not (text.startswith(DASK) and host and port.isdecimal()):
        raise click.BadParameter(f"{text!r}: it must be {LOCAL}, or {DASK}HOST:PORT")
    return text


ENGINE = click.option(
    "--engine",
    default=LOCAL,
    metavar="ENGINE",
    callback=_checked,
    help="Where to compute: local, or dask://HOST:PORT for the workers of a Dask scheduler, which "
    "must be able to open the files.",
)


@contextmanager
def engine_of(text: str) -> Generator[Any]:
    """Yield the engine that the option stands for, as `Galileo` takes it."""
    if text == LOCAL:
        yield LOCAL
        return
    try:
        from galileomix._passes.dask_cluster import connected  # here: it takes long to import
    except ImportError as error:
        raise click.ClickException(
            f"--engine {text} needs Dask: `pip install galileomix[dask]` ({error})"
        ) from error
    with connected(f"tcp://{text.removeprefix(DASK)}") as client:
        yield client
