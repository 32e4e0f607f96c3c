"""The engine of a Spark cluster: the sums of the engine in this process, to the bit."""

import pickle

import numpy as np
import pyarrow as pa
import pytest

from galileomix._passes.local import LocalEngine
from galileomix._table import Block
from galileomix.errors import ClusterError, TableError

pytest.importorskip("pyspark", reason="pyspark is not installed")

from galileomix._passes import spark_cluster, spark_engine
from galileomix._passes.spark_engine import SparkEngine, by_number
from galileomix._passes.spark_tasks import SCHEMA, as_sent

RNG = np.random.default_rng(0)
GROUPS = [
    [Block(np.zeros((9, 0), np.uint8), RNG.normal(size=(9, 2)), np.ones(9)) for _ in range(n)]
    for n in (32, 32, 32, 7)
]


def exponentials(by):
    """Return a function whose sums tell by their last bits in which order they were made.

    Executors do not know the modules of tests, so that it has to go to them by value.
    """
    return lambda block: np.exp(block.numbers * by).sum(axis=0)


def engine_of(session):
    values = [
        {"number": number, "place": place, "value": pickle.dumps(as_sent(block, False))}
        for number, group in enumerate(GROUPS)
        for place, block in enumerate(group)
    ]
    frame = session.createDataFrame(pa.Table.from_pylist(values[::-1], SCHEMA))
    return SparkEngine(session, by_number(frame, len(GROUPS)), len(GROUPS), None)


@pytest.mark.parametrize("kind", ["spark", "connect"])
def test_sums_have_the_bits_of_the_local_engine(request, monkeypatch, kind):
    session, f = request.getfixturevalue(kind), exponentials(3.7)
    if kind == "spark":
        monkeypatch.setattr(spark_engine, "MOST_GATHERED", 2)
        monkeypatch.setattr(spark_engine, "cores", lambda session: 1)  # two groups to a task
    local = LocalEngine([block for group in GROUPS for block in group]).sum(f)
    assert engine_of(session).sum(f).tobytes() == local.tobytes()


def test_a_session_that_is_all_there_is_of_spark_sums_too(connect, monkeypatch):
    """As `SparkSession.builder.remote(...).getOrCreate()` makes one, in a process without Java."""
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    connect.addTag("asked-by-a-user")
    assert engine_of(connect).sum(len) == sum(9 * len(group) for group in GROUPS)
    assert connect.getTags() == {"asked-by-a-user"}
    connect.clearTags()


def test_jobs_have_the_tags_and_the_group_of_the_thread_that_asks(spark):
    context = spark.sparkContext
    context.setJobGroup("asked by a user", "")
    spark.addTag("asked-by-a-user")
    engine_of(spark).sum(len)
    assert context.statusTracker().getJobIdsForGroup("asked by a user")
    assert spark.getTags() == {"asked-by-a-user"}
    spark.clearTags()
    context.setLocalProperty("spark.jobGroup.id", None)


def test_errors_of_a_function_keep_their_type(spark):
    def refuse(block):
        raise TableError("no such value", column="odor", row=3)

    with pytest.raises(TableError, match="column 'odor', row 3: no such value"):
        engine_of(spark).sum(refuse)


def test_a_cluster_that_runs_nothing_is_a_clear_error(spark, monkeypatch):
    monkeypatch.setattr(spark_cluster, "LOOK", 0.01)
    monkeypatch.setattr(spark_cluster, "PATIENCE", 0.05)
    monkeypatch.setattr(spark_cluster, "_has_active_tasks", lambda tracker: False)
    with pytest.raises(ClusterError, match=r"has run no task for 0\.05 seconds"):
        engine_of(spark).sum(exponentials(1.0))


def test_what_spark_raises_is_a_clear_error(spark, connect):
    lost = engine_of(spark)
    broken = "CAST(raise_error('a disk is full') AS INT) AS number"
    lost._groups = lost._groups.selectExpr(broken, "place", "value")
    with pytest.raises(ClusterError, match=r"could not finish a pass: .*a disk is full"):
        lost.sum(exponentials(1.0))
    port = spark.conf.get("spark.connect.grpc.binding.port")
    gone = type(connect).builder.remote(f"sc://127.0.0.1:{port}").create()
    engine = engine_of(gone)
    gone.stop()
    with pytest.raises(ClusterError, match="the Spark session is gone"):
        engine.sum(exponentials(1.0))


def test_java_that_does_not_start_is_a_clear_error(monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    with (
        pytest.raises(ClusterError, match="Spark needs Java 17 or later, which did not start"),
        spark_cluster.connected("spark"),
    ):
        pass
