"""A Spark cluster: which one is asked, and what it answers, or why it does not."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from py4j.protocol import Py4JError
from pyspark import InheritableThread, SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from galileomix._passes.spark_tasks import ERROR
from galileomix._passes.waiting import Waiting
from galileomix.errors import ClusterError, GalileoError, ParameterError

LOOK = 2.0
"""Seconds of waiting after which we look whether the cluster is at work."""
PATIENCE = 120.0
"""Seconds that a cluster may run no task: it may take a while to find executors."""
MANY = 1_000_000
"""Rows that Spark makes on all cores."""
LOCAL = "spark"
SETTINGS: dict[str, Any] = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    # Blocks go to Python in every pass, sooner by a socket of the file system.
    "spark.python.unix.domain.socket.enabled": str(os.name == "posix").lower(),
}


def session_of(engine: Any) -> Any:
    """Return the session that the parameter ``engine`` stands for: itself, or the one in force."""
    if not isinstance(engine, str):
        return engine
    session = SparkSession.getActiveSession()
    if session is None:
        raise ParameterError(
            f"engine={engine!r} needs a Spark session: make one first, as in "
            f"`SparkSession.builder.remote('sc://host:15002').getOrCreate()`"
        )
    return session


@contextmanager
def connected(address: str) -> Generator[Any]:
    """Yield a session of the cluster at an address; of this machine where that is ``spark``."""
    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")  # of its own parts
    try:
        session = _session_at(address)
    except ClusterError:
        raise
    except Exception as error:
        why = f"no Spark session at {address}: {_first_line(error)}"
        if "JAVA_GATEWAY_EXITED" in why:
            why = f"Spark needs Java 17 or later, which did not start: {_first_line(error)}"
        raise ClusterError(why) from error
    try:
        yield session
    finally:
        with suppress(Exception):  # a cluster that is gone cannot be told
            session.stop()


def _session_at(address: str) -> Any:
    if not address.startswith("sc://"):
        return _within_patience(partial(_started_session, address), address)
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    session = ConnectSession.builder.remote(address).create()
    try:
        # Asks the server, which is not connected to before.
        _within_patience(lambda: session.version, address)
    except BaseException:
        session.client.close()  # what is open would ask it again for minutes when Python ends
        raise
    return session


def _started_session(address: str) -> Any:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setAppName("galileo").setAll(list(SETTINGS.items()))
    conf = conf.setMaster("local[*]" if address == LOCAL else address)
    # Java writes a dozen lines when it starts; what goes wrong is raised.
    gateway: Any = launch_gateway(conf, {"stderr": subprocess.DEVNULL})
    return SparkSession(SparkContext(conf=conf, gateway=gateway))


def _within_patience(make: Callable[[], Any], address: str) -> Any:
    waiting = Waiting(make)
    if not waiting.ended.wait(PATIENCE):
        raise ClusterError(f"no Spark cluster answers at {address} within {PATIENCE:g} seconds")
    return waiting.result()


def _thread(session: Any) -> Any:
    """Return the kind of thread whose jobs have the pool and the group of those of this one."""
    # Of a session by Spark Connect threads have tags alone.
    return threading.Thread if _by_connect(session) else InheritableThread


@contextmanager
def answering(session: Any) -> Generator[None]:
    """Let what Spark raises be a `ClusterError`: there is no session, or it could not answer."""
    try:
        yield
    except GalileoError:
        raise
    except Exception as error:
        if not isinstance(error, PySparkException | Py4JError | OSError) and not _is_gone(session):
            raise
        raise ClusterError(_problem(session, error)) from error


def gathered(session: Any, frame: Any) -> list[Any]:
    """Return the values of a frame of ours, by their number and place.

    What is lost with an executor is computed again by Spark, as often as its settings say.

    Raises
    ------
    ClusterError
        Where there is no session any more, or where the cluster has run no task for two minutes,
        or cannot finish one.
    """
    with answering(session):
        rows = _collected(session, frame)
    rows.sort(key=lambda row: (row.number, row.place))
    values = [pickle.loads(row.value) for row in rows]
    for row, value in zip(rows, values, strict=True):
        if row.place == ERROR:
            raise value
    return values


def cores(session: Any) -> int:
    """Return how many tasks a cluster runs at a time, as it says when it is asked for some rows."""
    return session.range(MANY).selectExpr("spark_partition_id() AS part").distinct().count()


def _collected(session: Any, frame: Any) -> list[Any]:
    """Return the rows of a frame, as long as the cluster is at work."""
    tag = f"galileo-{uuid.uuid4().hex}"
    tags = [*session.getTags(), tag]

    def collect() -> list[Any]:
        for one in tags:  # those of its own end with the thread
            session.addTag(one)
        return frame.collect()

    with _tasks_running(session) as running:
        waiting, at_work = Waiting(collect, _thread(session)), time.monotonic()
        try:
            while not waiting.ended.wait(LOOK):
                if running():
                    at_work = time.monotonic()
                elif time.monotonic() - at_work > PATIENCE:
                    raise ClusterError(
                        f"the Spark cluster has run no task for {PATIENCE:g} seconds: it has no "
                        f"executors, or is gone"
                    )
        except BaseException:
            # In a thread: of a cluster that is gone there may be no answer.
            Waiting(lambda: session.interruptTag(tag), _thread(session))
            raise
    return waiting.result()


@contextmanager
def _tasks_running(session: Any) -> Generator[Callable[[], bool]]:
    """Yield a function that says whether any task has run since it was last asked."""
    if not _by_connect(session):
        yield partial(_has_active_tasks, session.sparkContext.statusTracker())
        return
    told = list[int]()

    def handler(stages: Any, inflight_tasks: int, operation_id: Any, done: bool) -> None:
        told.append(inflight_tasks)

    def told_of_tasks() -> bool:
        found = any(told)
        told.clear()
        return found

    session.registerProgressHandler(handler)
    try:
        yield told_of_tasks
    finally:
        session.removeProgressHandler(handler)


def _has_active_tasks(tracker: Any) -> bool:
    with suppress(Exception):  # of a session that is gone, which runs nothing
        stages = map(tracker.getStageInfo, tracker.getActiveStageIds())
        return any(stage is not None and stage.numActiveTasks > 0 for stage in stages)
    return False


def _by_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect")


def _is_gone(session: Any) -> bool:
    """Whether there is no session any more."""
    if _by_connect(session):
        return session.is_stopped
    try:
        return session.sparkContext.defaultParallelism < 1
    except Exception:  # whatever it is: a session in force can say it
        return True


def _problem(session: Any, error: Exception) -> str:
    """Return why a cluster did not answer."""
    text = str(error)
    if "No module named 'galileomix'" in text:
        return "galileomix is not installed on the executors of the Spark cluster"
    if _is_gone(session):
        return f"the Spark session is gone ({_first_line(error)})"
    return f"the Spark cluster could not finish a pass: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
