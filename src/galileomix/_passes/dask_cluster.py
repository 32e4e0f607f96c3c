"""A Dask cluster: which one is asked, and what it answers, or why it does not."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

import distributed
from distributed import CancelledError, Client, Future, KilledWorker

from galileomix._version import __version__
from galileomix.errors import ClusterError, ParameterError

T = TypeVar("T")

LOOK = 2.0
"""Seconds of waiting after which we look whether the cluster is still there."""
LONGEST_CONNECT = 10.0
"""Seconds in which a scheduler must answer."""
PATIENCE = 120.0
"""Seconds that a cluster may be without any worker."""
GIVEN_UP = "distributed.deploy.lost-worker-timeout"
"""Dask's setting for how long its own clusters wait for a lost worker before they forget it."""


def client_in_force() -> Client | None:
    """Return the client that Dask computes with in this process; None where there is none."""
    try:
        return distributed.default_client()
    except ValueError:
        return None


def client_of(engine: Any) -> Client:
    """Return the client that the parameter ``engine`` stands for: itself, or the one in force."""
    if isinstance(engine, Client):
        return engine
    client = client_in_force()
    if client is None:
        raise ParameterError(
            f"engine={engine!r} needs a Dask cluster: make a client first, as in "
            f"`client = distributed.Client('tcp://scheduler:8786')`"
        )
    return client


@contextmanager
def connected(address: str) -> Generator[Client]:
    """Yield a client of the scheduler at an address, such as ``tcp://host:8786``."""
    try:
        client = Client(address, timeout=LONGEST_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no Dask scheduler answers at {address} ({error})") from error
    with client:
        yield client


def check_workers(client: Client) -> None:
    """Raise `ClusterError` where a worker does not have this version of the package.

    Dask loses workers that cannot import what they are sent, and another version may round
    otherwise. A worker that is lost meanwhile has no version.
    """
    held: Any = client.run(version, "galileomix", on_error="return")
    for address, found in held.items():
        if isinstance(found, OSError):
            continue
        if isinstance(found, PackageNotFoundError):
            raise ClusterError(f"galileomix is not installed on the worker {address}")
        if found != __version__:
            raise ClusterError(
                f"the worker {address} has galileomix {found}, this process {__version__}: "
                f"install the same version"
            )


def gathered(client: Client, tasks: Callable[[], Sequence[Future[Any]]]) -> list[Any]:
    """Return the results of the tasks that a function submits, in their order.

    Tasks whose worker is lost are computed again by Dask, as often as its setting
    ``distributed.scheduler.allowed-failures`` says.

    Raises
    ------
    ClusterError
        Where there is no scheduler any more, or no worker for two minutes, or where workers die
        of a task.
    """
    futures = list[Future[Any]]()
    try:
        futures += tasks()
        _wait(client, futures)
        found: Any = client.gather(futures)
        return found
    except KilledWorker as error:
        raise ClusterError(
            f"workers of the Dask cluster died of a task again and again, perhaps for want of "
            f"memory: give them more, or smaller partitions ({error})"
        ) from error
    except Exception as error:
        if not _is_gone(client, futures, error):
            raise
        why = "" if isinstance(error, CancelledError) else f" ({error})"  # it lists all tasks
        raise ClusterError(
            f"the Dask cluster is gone: its scheduler does not answer any more{why}"
        ) from error


def in_turn(client: Client, tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Yield what tasks return, in their order; two for each thread are under way at a time."""
    check_workers(client)
    threads: Any = client.nthreads()
    most, submit = 2 * max(sum(threads.values()), 1), client.submit
    waiting = deque[Any]()
    for task in tasks:
        waiting.append(submit(_called, task, pure=False))
        if len(waiting) >= most:
            yield _first(client, waiting)
    while waiting:
        yield _first(client, waiting)


def _called(task: Callable[[], T]) -> T:
    return task()


def _first(client: Client, waiting: deque[Any]) -> Any:
    future = waiting.popleft()
    return gathered(client, lambda: [future])[0]


def _is_gone(client: Client, futures: Sequence[Future[Any]], error: Exception) -> bool:
    """Whether an error is that of a cluster that does not answer, and not that of a task."""
    if client.status != "running" or isinstance(error, CancelledError):
        return True
    # A task may have such an error too, say of a file that its worker cannot read.
    return isinstance(error, OSError) and all(future.status != "error" for future in futures)


def _wait(client: Client, futures: Sequence[Future[Any]]) -> None:
    """Wait until all tasks have ended, well or not, as long as there are workers."""
    last_worker = time.monotonic()
    while True:
        try:
            with client.as_current():
                distributed.wait(futures, timeout=LOOK)
            return
        except TimeoutError:
            if client.nthreads():
                last_worker = time.monotonic()
            elif time.monotonic() - last_worker > PATIENCE:
                raise ClusterError(
                    f"the Dask cluster has had no worker for {PATIENCE:g} seconds: start workers "
                    f"and fit again (a LocalCluster gives up a worker that is not back within "
                    f"Dask's setting {GIVEN_UP!r})"
                ) from None
