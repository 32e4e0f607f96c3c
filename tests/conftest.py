"""What tests of several rooms share."""

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

CLUSTERS = ("spark", "dask", "test_engine", "test_checkpoint", "test_docs")
"""Files whose tests ask a cluster."""
IDLE = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""A cluster that waits is to need no processor; by default it looks at itself all the time."""
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java is to compile quickly what runs but for a minute, and to need no threads to tidy up."""
QUIET = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": SHORT_LIVED,
    "spark.executor.extraJavaOptions": SHORT_LIVED,
}


class ByFixtures(LoadFileScheduling):
    """Tests of one file share a process, for its fixtures; so do all that ask a cluster."""

    def _split_scope(self, nodeid):
        file = super()._split_scope(nodeid)
        return "clusters" if any(name in file for name in CLUSTERS) else file


def pytest_xdist_make_scheduler(config, log):
    """Say which tests share a process where there are several."""
    return ByFixtures(config, log)


@pytest.fixture(scope="session")
def client():
    """A client of a Dask cluster on this machine: two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    dask = pytest.importorskip("dask", reason="dask is not installed")
    workers = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0}
    waits = {
        "distributed.comm.timeouts.connect": "10s",  # to killed workers
        "distributed.deploy.lost-worker-timeout": "1 day",  # killed ones are never given up
    }
    with (
        dask.config.set(IDLE | waits),
        distributed.LocalCluster(**workers, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found


@pytest.fixture(scope="session")
def spark():
    """A Spark session with one executor, a process of its own, and a server of Spark Connect."""
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed: nothing of Spark was tested")
    with pytest.MonkeyPatch.context() as patch, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
        builder = sql.SparkSession.builder.master("local-cluster[1,1,1024]").config(map=QUIET)
        builder = builder.config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
        builder = builder.config("spark.connect.grpc.binding.port", port)
        session = builder.getOrCreate()
        left = Path(sql.__file__).parents[1] / "work" / session.sparkContext.applicationId
        yield session
        session.stop()
        shutil.rmtree(left, ignore_errors=True)  # logs of executors


@pytest.fixture(scope="session")
def connect(spark):
    """A session of the same cluster by Spark Connect."""
    from pyspark.sql.connect.session import SparkSession

    port = spark.conf.get("spark.connect.grpc.binding.port")
    session = SparkSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    yield session
    session.client.set_retry_policies([])  # a server that is gone is not waited for
    session.stop()
