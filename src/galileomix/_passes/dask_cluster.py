"""A Dask cluster: which one is asked, and what it answers, or why it does not."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar, cast

import distributed
from distributed import CancelledError, Client, Future, KilledWorker

from galileomix._passes.waiting import Waiting
from galileomix._version import __version__
from galileomix.errors import ClusterError, GalileoError, ParameterError

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


def check_cluster(client: Client) -> None:
    """Raise `ClusterError` where a cluster does not have this version of the package everywhere.

    Dask loses workers that cannot import what they are sent, and another version may round
    otherwise. The scheduler reads what it passes on. A worker that is lost meanwhile has no
    version.
    """
    if client.asynchronous:
        raise ParameterError("the Dask client is asynchronous: make one with asynchronous=False")
    with answering(client):
        held = {"the Dask scheduler": _version_of_scheduler(client), **_versions_of_workers(client)}
    for place, found in held.items():
        if isinstance(found, OSError):
            continue
        if isinstance(found, PackageNotFoundError):
            raise ClusterError(f"galileomix is not installed on {place}")
        if found != __version__:
            raise ClusterError(
                f"{place} has galileomix {found}, this process {__version__}: install the same "
                f"version"
            )


def _version_of_scheduler(client: Client) -> Any:
    try:
        return client.run_on_scheduler(version, "galileomix", callback_timeout=PATIENCE)
    except PackageNotFoundError as error:
        return error


def _versions_of_workers(client: Client) -> dict[str, Any]:
    try:
        held: Any = client.run(version, "galileomix", on_error="return", callback_timeout=PATIENCE)
    except TimeoutError as error:
        raise ClusterError(
            f"not all workers of the Dask cluster have answered within {PATIENCE:g} seconds: end "
            f"those that hang, and fit again"
        ) from error
    return {f"the worker {address}": found for address, found in held.items()}


@contextmanager
def answering(client: Client, futures: Sequence[Future[Any]] = ()) -> Generator[None]:
    """Let what Dask raises be a `ClusterError` where there is no cluster, or where workers die."""
    try:
        yield
    except GalileoError:
        raise
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
    with answering(client, futures):
        futures += tasks()
        _wait(client, futures)
        found = Waiting[Any](partial(client.gather, futures))
        while not found.ended.wait(LOOK):
            _n_threads(client)
        return found.result()


def in_turn(client: Client, tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Yield what tasks return, in their order; two for each thread are under way at a time."""
    check_cluster(client)
    most, submit = 2 * max(_n_threads(client), 1), cast("Callable[..., Any]", client.submit)
    waiting = deque[Any]()
    for task in tasks:
        with answering(client):
            waiting.append(submit(_called, task, pure=False))
        if len(waiting) >= most:
            yield _first(client, waiting)
    while waiting:
        yield _first(client, waiting)


def _n_threads(client: Client) -> int:
    """Return how many threads the workers have that a scheduler knows of."""
    with answering(client):
        threads: Any = client.nthreads(callback_timeout=PATIENCE)
    return sum(threads.values())


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
            if _n_threads(client):
                last_worker = time.monotonic()
            elif time.monotonic() - last_worker > PATIENCE:
                raise ClusterError(
                    f"the Dask cluster has had no worker for {PATIENCE:g} seconds: start workers "
                    f"and fit again (a LocalCluster gives up a worker that is not back within "
                    f"Dask's setting {GIVEN_UP!r})"
                ) from None
