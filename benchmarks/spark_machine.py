"""Spark on this machine: two executors, their processes, and a rival from MLlib."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.metrics import adjusted_rand_score

from galileomix import Galileo
from galileomix.datasets import make_rules

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.executor.memory": "2g",
    "spark.python.unix.domain.socket.enabled": "true",
}
CLUSTERS = 8


@contextmanager
def session(executors: int = 2) -> Generator[Any]:
    """Yield a session with executors of one thread each, which are processes of their own."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,2048]").config(map=SETTINGS)
    found = builder.getOrCreate()
    left = Path(pyspark.__file__).parent / "work" / found.sparkContext.applicationId
    try:
        yield found
    finally:
        found.stop()
        shutil.rmtree(left, ignore_errors=True)  # logs of executors


def executors(session: Any) -> list[int]:
    """Return the processes of the executors that a few tasks ran in."""

    def process(batches: Iterable[Any]) -> Iterator[Any]:  # sent by value
        list(batches)
        stat = Path(f"/proc/{os.getppid()}/stat").read_text()  # of the parent of this Python
        found = int(stat.rsplit(")", 1)[1].split()[1])
        yield pa.RecordBatch.from_pydict({"process": pa.array([found], pa.int64())})

    rows = session.range(0, 16, 1, 16).mapInArrow(process, "process long").collect()
    return sorted({row.process for row in rows})


def beside_mllib(rows: int) -> None:
    """Fit one table by MLlib's GaussianMixture, told the number of clusters, and by Galileo."""
    made = make_rules(rows, n_rules=CLUSTERS, n_attributes=20, random_state=0)
    table = "v" + made.data.astype(str)
    truth = np.asarray(made.target)
    with session() as spark:
        plain = pa.Table.from_pandas(table.assign(row=np.arange(rows)), preserve_index=False)
        frame = spark.createDataFrame(plain).repartition(4).persist()
        frame.count()
        for name, fit in (("MLlib", _by_mllib), ("Galileo", _by_galileo)):
            began = time.perf_counter()
            labels = fit(frame, list(table.columns))
            took = time.perf_counter() - began
            found = labels.select("row", "cluster").toArrow().sort_by("row").column("cluster")
            k = len(np.unique(found))
            print(
                f"{name}: {took:.1f} s, {k} clusters, "
                f"ARI {adjusted_rand_score(truth, np.asarray(found)):.3f}",
                flush=True,
            )


def _by_mllib(frame: Any, columns: list[str]) -> Any:
    from pyspark.ml import Pipeline
    from pyspark.ml.clustering import GaussianMixture
    from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler

    codes, hot = [f"{name}_code" for name in columns], [f"{name}_hot" for name in columns]
    stages = [
        StringIndexer(inputCols=columns, outputCols=codes),
        OneHotEncoder(inputCols=codes, outputCols=hot),
        VectorAssembler(inputCols=hot, outputCol="features"),
        GaussianMixture(k=CLUSTERS, seed=0, predictionCol="cluster"),
    ]
    return Pipeline(stages=stages).fit(frame).transform(frame)


def _by_galileo(frame: Any, columns: list[str]) -> Any:
    model = Galileo(drop=["row"], predictive="chosen", effort=0.1, random_state=0)
    return model.fit(frame).labels_
