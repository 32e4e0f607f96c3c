"""The option --engine: where a table is fitted."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import click

LOCAL = "local"
SPARK = "spark"
DASK = "dask://"
ADDRESSES = (DASK, "spark://", "sc://")
"""How the addresses of clusters begin."""


def _checked(context: click.Context, option: click.Parameter, text: str) -> str:
    """Refuse what is no engine."""
    begin = next(filter(text.startswith, ADDRESSES), None)
    host, _, port = text.removeprefix(begin or "").rpartition(":")
    if text not in (LOCAL, SPARK) and not (begin and host and port.isdecimal()):
        shown = ", ".join(f"{address}HOST:PORT" for address in ADDRESSES)
        raise click.BadParameter(f"{text!r}: it must be {LOCAL}, {SPARK}, or one of {shown}")
    return text


ENGINE = click.option(
    "--engine",
    default=LOCAL,
    metavar="ENGINE",
    callback=_checked,
    help="Where to compute: local; spark, for a Spark session on this machine; or a cluster whose "
    "workers can open the files: dask://HOST:PORT for a Dask scheduler, spark://HOST:PORT for a "
    "Spark master, sc://HOST:PORT for Spark Connect.",
)


@contextmanager
def engine_of(text: str) -> Generator[Any]:
    """Yield the engine that the option stands for, as `Galileo` takes it."""
    if text == LOCAL:
        yield LOCAL
        return
    library = "Dask" if text.startswith(DASK) else "Spark"
    try:
        cluster = _cluster(text)
    except ImportError as error:
        raise click.ClickException(
            f"--engine {text} needs {library}: `pip install '.[{library.lower()}]'` in a clone of "
            f"Galileo ({error})"
        ) from error
    with cluster as found:
        yield found


def _cluster(text: str) -> AbstractContextManager[Any]:
    # Imported here: both take long, and neither need be installed.
    if text.startswith(DASK):
        from galileomix._passes.dask_cluster import connected

        return connected(f"tcp://{text.removeprefix(DASK)}")
    from galileomix._passes.spark_cluster import connected

    return connected(text)
