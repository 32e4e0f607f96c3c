"""The engine of a Dask cluster: the sums of the engine in this process, to the bit."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import pytest

from galileomix._passes.fold import GROUP_ROWS
from galileomix._passes.local import LocalEngine
from galileomix._table import Block
from galileomix.errors import ClusterError, ParameterError

distributed = pytest.importorskip("distributed", reason="dask is not installed")

from galileomix._passes import dask_cluster, dask_engine  # noqa: E402
from galileomix._passes.dask_engine import DaskEngine, rows_of_task  # noqa: E402

RNG = np.random.default_rng(0)
GROUPS = [
    [Block(np.zeros((9, 0), np.uint8), RNG.normal(size=(9, 2)), np.ones(9)) for _ in range(n)]
    for n in (32, 32, 32, 32, 32, 32, 32, 32, 32, 7)
]


def exponentials(by):
    """Return a function whose sums tell by their last bits in which order they were made.

    Workers do not know the modules of tests, so that it has to go to them by value.
    """
    return lambda block: np.exp(block.numbers * by).sum(axis=0)


def engine_of(client):
    return DaskEngine(client, [client.submit(list, group, pure=False) for group in GROUPS], None)


@pytest.mark.parametrize("most_gathered", [64, 2])
def test_sums_have_the_bits_of_the_local_engine(client, monkeypatch, most_gathered):
    monkeypatch.setattr(dask_engine, "MOST_GATHERED", most_gathered)
    f = exponentials(3.7)
    local = LocalEngine([block for group in GROUPS for block in group]).sum(f)
    assert engine_of(client).sum(f).tobytes() == local.tobytes()


def test_groups_of_groups_to_a_task_have_the_same_bits(client):
    f, blocks = exponentials(3.7), [block for group in GROUPS for block in group]
    tasks = [blocks[:256], blocks[256:]]  # eight groups of 32 blocks, and what is left
    engine = DaskEngine(client, [client.submit(list, task, pure=False) for task in tasks], None)
    assert engine.sum(f).tobytes() == LocalEngine(blocks).sum(f).tobytes()


def test_tasks_are_larger_where_they_would_be_very_many():
    sizes = [rows_of_task(rows) for rows in (1e6, 2.6e8, 1e9, 1e10)]
    assert sizes == [GROUP_ROWS, GROUP_ROWS, 8 * GROUP_ROWS, 64 * GROUP_ROWS]


def test_what_is_lost_with_a_worker_is_computed_again(client):
    engine, f = engine_of(client), exponentials(1.3)
    before = engine.sum(f)
    process = next(iter(client.run(os.getpid).values()))
    os.kill(process, signal.SIGKILL)
    assert engine.sum(f).tobytes() == before.tobytes()


def test_errors_of_a_function_are_its_own(client):
    with pytest.raises(ZeroDivisionError):
        engine_of(client).sum(lambda block: 1 / 0)


def test_a_cluster_that_is_gone_is_a_clear_error():
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=":0") as cluster:
        client = distributed.Client(cluster, set_as_default=False)
        engine = engine_of(client)
        cluster.close()
        with pytest.raises(ClusterError, match="the Dask cluster is gone"):
            engine.sum(exponentials(1.0))
        with pytest.raises(ClusterError, match="the Dask cluster is gone"):
            dask_cluster.check_cluster(client)


def test_a_cluster_without_workers_is_a_clear_error(monkeypatch):
    monkeypatch.setattr(dask_cluster, "LOOK", 0.05)
    monkeypatch.setattr(dask_cluster, "PATIENCE", 0.1)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(ClusterError, match=r"no worker for .*lost-worker-timeout"),
    ):
        engine_of(client).sum(exponentials(1.0))


def test_workers_that_come_later_finish_a_pass(monkeypatch):
    monkeypatch.setattr(dask_cluster, "LOOK", 0.05)
    f = exponentials(1.0)
    local = LocalEngine([block for group in GROUPS for block in group]).sum(f)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        ThreadPoolExecutor(1) as thread,
    ):
        found = thread.submit(engine_of(client).sum, f)
        with pytest.raises(TimeoutError):
            found.result(0.5)
        cluster.scale(1)
        assert found.result(60).tobytes() == local.tobytes()


class Cluster:
    """A client, as far as versions go: what its workers and its scheduler answer."""

    asynchronous, status = False, "running"

    def __init__(self, workers, scheduler=None):
        self.workers, self.scheduler = workers, scheduler or version("galileomix")

    def run(self, function, name, on_error, callback_timeout):
        if isinstance(self.workers, Exception):
            raise self.workers
        return self.workers

    def run_on_scheduler(self, function, name, callback_timeout):
        if isinstance(self.scheduler, Exception):
            raise self.scheduler
        return self.scheduler


def test_a_worker_lost_while_versions_are_compared_is_no_other_version():
    held = {"tcp://here:1": version("galileomix"), "tcp://here:2": OSError("Timed out")}
    dask_cluster.check_cluster(Cluster(held))


@pytest.mark.parametrize(
    ("cluster", "said"),
    [
        (Cluster({"tcp://here:1": "0.0.1"}), r"the worker tcp://here:1 has galileomix 0\.0\.1"),
        (Cluster({}, "0.0.1"), r"the Dask scheduler has galileomix 0\.0\.1"),
        (Cluster({}, PackageNotFoundError()), "galileomix is not installed on the Dask scheduler"),
        (Cluster(TimeoutError()), "not all workers of the Dask cluster have answered within 120"),
        (Cluster({}, TimeoutError("after 120 s")), r"the Dask cluster is gone: .*\(after 120 s\)"),
    ],
)
def test_what_is_wrong_with_a_cluster_is_said(cluster, said):
    with pytest.raises(ClusterError, match=said):
        dask_cluster.check_cluster(cluster)


def test_a_client_that_has_to_be_awaited_is_refused():
    asynchronous = Cluster({})
    asynchronous.asynchronous = True
    with pytest.raises(ParameterError, match="make one with asynchronous=False"):
        dask_cluster.check_cluster(asynchronous)


def test_a_scheduler_that_hangs_is_a_clear_error(client, monkeypatch):
    def hangs(callback_timeout):
        raise TimeoutError(f"timed out after {callback_timeout:g} s")

    monkeypatch.setattr(dask_cluster, "LOOK", 0.01)
    monkeypatch.setattr(client, "nthreads", hangs)
    waits = dask_engine.DaskEngine(client, [], None)
    monkeypatch.setattr(waits, "_sums", lambda f: [distributed.Future("never", client)])
    with pytest.raises(ClusterError, match=r"scheduler does not answer.*timed out after 120 s"):
        waits.sum(len)
