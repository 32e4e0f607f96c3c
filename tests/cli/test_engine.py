"""The option --engine."""

from pathlib import Path

import numpy as np
import pytest

from galileomix import Galileo
from galileomix.datasets import load_zoo


def test_files_are_fitted_on_a_cluster(client, galileo, zoo_csv, tmp_path):
    address = client.scheduler.address.removeprefix("tcp://")
    output = tmp_path / "model.galileo"
    code, out, _ = galileo("fit", zoo_csv, "--engine", f"dask://{address}", "-o", str(output))
    assert code == 0 and "clusters in 101 records" in out
    found, expected = Galileo.load(output), Galileo(random_state=0).fit(zoo_csv)
    assert found.engine == "auto" and (found.weights_ == expected.weights_).all()


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A table in three files, with missing cells, and a value that no model knows in the last."""
    folder, table = tmp_path_factory.mktemp("parts"), load_zoo().data
    for number, rows in enumerate(np.array_split(np.arange(len(table)), 3)):
        part = table.iloc[rows].astype(object)
        part.iloc[1, 0] = None
        part.iloc[2, 16] = "a dragon" if number == 2 else part.iloc[2, 16]
        part.to_csv(folder / f"part{number}.csv", index=False)
    return str(folder)


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "MODEL", "PARTS"),
        ("impute", "PARTS", "--model", "MODEL"),
        ("anomalies", "PARTS", "--model", "MODEL", "-n", "5", "--json"),
        ("anomalies", "PARTS", "--max-components", "2", "-n", "5", "--json"),
    ],
)
def test_rows_are_answered_on_a_cluster_as_here(
    client, galileo, zoo_model, parts, command, monkeypatch
):
    monkeypatch.chdir(Path(parts).parent)
    names = {"MODEL": zoo_model, "PARTS": Path(parts).name}
    asked = [names.get(word, word) for word in command]
    address = client.scheduler.address.removeprefix("tcp://")
    here, there = galileo(*asked), galileo(*asked, "--engine", f"dask://{address}")
    assert there[:2] == here[:2] and here[0] == 0 and len(here[1]) > 1000
    assert ("dragon" in here[2]) == ("dragon" in there[2])


def test_rows_are_answered_on_spark_as_here(spark, galileo, zoo_model, parts):
    port = spark.conf.get("spark.connect.grpc.binding.port")
    asked = ("predict", zoo_model, parts)
    here, there = galileo(*asked), galileo(*asked, "--engine", f"sc://127.0.0.1:{port}")
    assert there == here and here[0] == 0 and "dragon" in there[2]


def test_files_are_fitted_by_spark_connect(spark, galileo, zoo_csv, tmp_path):
    port = spark.conf.get("spark.connect.grpc.binding.port")
    output = tmp_path / "model.galileo"
    where = ("--engine", f"sc://127.0.0.1:{port}", "--effort", "0.01")
    code, out, _ = galileo("fit", zoo_csv, *where, "-o", str(output))
    assert code == 0 and "clusters in 101 records" in out
    found = Galileo.load(output)
    expected = Galileo(effort=0.01, random_state=0).fit(zoo_csv)
    assert (found.weights_ == expected.weights_).all()


def test_no_cluster_is_a_message(galileo, zoo_csv, monkeypatch):
    cluster = pytest.importorskip("galileomix._passes.spark_cluster", reason="no pyspark")
    from pyspark.sql.connect.session import SparkSession

    opened = []
    monkeypatch.setattr(SparkSession, "_set_default_and_active_session", opened.append)
    monkeypatch.setattr(cluster, "PATIENCE", 0.05)
    code, _, err = galileo("fit", zoo_csv, "--engine", "sc://127.0.0.1:9")
    assert code == 1 and "Spark" in err and "sc://127.0.0.1:9" in err
    assert [session.is_stopped for session in opened] == [True]  # or the program would not end


@pytest.mark.parametrize(
    "engine", ["dusk", "dask://", "dask://host", "dask://host:80x", "sc://host"]
)
def test_what_is_no_engine_is_refused(galileo, zoo_csv, engine):
    code, _, err = galileo("fit", zoo_csv, "--engine", engine)
    assert code == 2 and "it must be local, spark, or one of dask://HOST:PORT" in err


def test_a_classifier_is_fitted_here(galileo, zoo_csv):
    code, _, err = galileo("fit", zoo_csv, "--target", "type", "--engine", "dask://host:8786")
    assert code == 2 and "--engine is for clusters" in err
