"""Frames of Spark: fitted on a cluster to the same bits, answered lazily."""

import copy
import os
import pickle
import signal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal
from sklearn.base import clone

from galileomix import GalileoDetector
from galileomix.datasets import make_mixed
from galileomix.errors import GalileoWarning, ParameterError, TableError
from quick_fits import bits, quick

pytest.importorskip("pyspark", reason="pyspark is not installed")


@pytest.fixture(scope="module")
def table():
    """A table of categories and numbers, some of them missing."""
    frame = make_mixed(2000, missing=0.1, random_state=3).data
    return pa.Table.from_pandas(frame, preserve_index=False)


@pytest.fixture(scope="module")
def model(table):
    return quick().fit(table)


@pytest.fixture(scope="module")
def lazy(spark, table):
    return spark.createDataFrame(table)


def executor_of(session):
    """Return the process of an executor: the parent of the parent of its Python.

    Executors do not know the modules of tests, so that the function has to go to them by value.
    """

    def process(batches):
        list(batches)
        stat = Path(f"/proc/{os.getppid()}/stat").read_text()
        found = int(stat.rsplit(")", 1)[1].split()[1])
        yield pa.RecordBatch.from_pydict({"process": pa.array([found], pa.int64())})

    return session.range(1).coalesce(1).mapInArrow(process, "process long").first().process


@pytest.mark.parametrize("kind", ["spark", "connect"])
def test_small_frames_give_the_same_bits(request, table, model, kind):
    fitted = quick().fit(request.getfixturevalue(kind).createDataFrame(table))
    assert bits(fitted) == bits(model)
    labels = fitted.labels_.toArrow().column("cluster").to_numpy()
    assert np.array_equal(labels, model.labels_)


def test_files_give_the_same_bits_though_an_executor_is_killed(spark, many, in_many, tmp_path):
    """Spark takes large files first; rows are in the order of the names."""
    cuts = np.split(np.arange(len(many)), [1_000, 20_000])
    for number, part in enumerate(cuts):
        many.iloc[part].to_parquet(tmp_path / f"part {number}.parquet", index=False)
    victims = [executor_of(spark)]

    def kill(step):
        if victims and step.phase != "reading":
            os.kill(victims.pop(), signal.SIGKILL)

    fitted = quick(progress=kill).fit(spark.read.parquet(str(tmp_path)))
    assert victims == []
    assert bits(fitted) == bits(in_many)
    assert fitted.n_passes_ == in_many.n_passes_


def test_tables_in_memory_and_frames_here_give_the_same_bits(spark, lazy, table, model):
    assert bits(quick(engine=spark).fit(table)) == bits(model)
    assert bits(quick(engine="local").fit(lazy)) == bits(model)


def test_rows_in_another_order_give_the_same_clusters(lazy, model):
    fitted = quick().fit(lazy.repartition(3))
    assert_allclose(fitted.weights_, model.weights_, rtol=1e-6)


def test_frames_are_answered_by_frames_with_columns_added(lazy, table, model):
    answers = model.score_samples(model.predict_proba(model.predict(lazy)))
    shares = model.get_feature_names_out().tolist()
    assert answers.columns == [*table.column_names, "cluster", *shares, "log_density"]
    found = answers.toArrow()
    assert np.array_equal(found.column("cluster"), model.labels_)
    assert_allclose(found.column("log_density"), model.score_samples(table))
    assert_allclose(
        np.column_stack([found.column(name) for name in shares]),
        model.predict_proba(table),
        atol=1e-12,
    )
    assert model.predict(answers).columns.count("cluster") == 1


def test_frames_are_imputed_and_scored_lazily(lazy, table, model):
    filled = model.impute(lazy).toArrow().to_pandas()
    assert_frame_equal(filled, model.impute(table).to_pandas())
    with pytest.raises(ParameterError, match="is filled lazily"):
        model.impute(lazy, n_draws=2)
    detector = GalileoDetector(quick()).fit(lazy)
    scores = detector.score_samples(lazy).toArrow().column("score")
    assert_allclose(scores, detector.score_samples(table))


def test_models_of_frames_are_copied_and_pickled_without_labels(lazy, model):
    fitted = quick().fit(lazy)
    for copied in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert not hasattr(copied, "labels_") and bits(copied) == bits(model)


def test_columns_may_have_any_names(spark, table):
    """Those of our tags, and those by which Spark would look for a field of a column."""
    names = ["file", "start", "a.b", "a`b", *table.column_names[4:]]
    named = table.slice(0, 200).rename_columns(names)
    frame = spark.createDataFrame(named)
    fitted, here = quick().fit(frame), quick().fit(named)
    assert bits(fitted) == bits(here) and quick(engine="local").fit(frame).schema_ == here.schema_
    answers = fitted.impute(fitted.predict(frame))
    assert answers.columns == [*names, "cluster"]
    assert np.array_equal(answers.toArrow().column("cluster"), here.labels_)


def test_frames_are_scored(lazy, table, model):
    assert_allclose(model.score(lazy), model.score(table))
    assert_allclose(model.bic(lazy), model.bic(table))


def test_columns_that_are_not_there_are_missed_at_once(lazy, model):
    with pytest.raises(TableError, match="yet now missing:\n- x0"):
        model.predict(lazy.drop("x0"))


def test_errors_name_the_partition(spark):
    broken = spark.createDataFrame(pa.table({"w": [1.5] * 99 + [float("inf")]}))
    with pytest.raises(TableError, match=r"'partition \d', column 'w', row \d+: inf is infinite"):
        quick().fit(broken)


def test_a_session_is_shared_by_clones_and_left_out_of_files(spark, table, tmp_path):
    model = quick(engine=spark)
    assert clone(model).engine is spark
    assert pickle.loads(pickle.dumps(model)).engine == "auto"
    model.fit(table.slice(0, 200))
    with pytest.warns(GalileoWarning, match="engine is a Spark session and is not saved"):
        model.save(tmp_path / "model.galileo")


@pytest.fixture(scope="module")
def weights(table):
    """Weights of the rows, some of them zero."""
    return np.random.default_rng(0).integers(0, 4, table.num_rows) * 0.7


@pytest.mark.parametrize("engine", ["auto", "local"])
def test_a_column_of_weights_gives_the_same_bits(spark, table, weights, engine):
    here = table.append_column("times", pa.array(weights))
    expected = quick(drop=["times"]).fit(here, sample_weight=weights)
    frame = spark.createDataFrame(here)
    fitted = quick(engine=engine).fit(frame, sample_weight="times")
    assert bits(fitted) == bits(expected)
    assert_allclose(fitted.score(frame, None, "times"), expected.score(here, None, weights))
    assert np.array_equal(fitted.labels_.toArrow().column("cluster"), expected.labels_)


def test_weights_of_tables_in_memory_and_of_files_give_the_same_bits(
    spark, table, weights, tmp_path
):
    expected = quick().fit(table, sample_weight=weights)
    for first, stop in ((0, 500), (500, 1500), (1500, 2000)):
        pq.write_table(table.slice(first, stop - first), tmp_path / f"from{first:04}.parquet")
    for given in (table, str(tmp_path)):
        fitted = quick(engine=spark).fit(given, sample_weight=weights)
        assert bits(fitted) == bits(expected)
        assert np.array_equal(fitted.labels_, expected.labels_)


def test_weights_of_many_rows_give_the_same_bits(spark, many, tmp_path):
    here = many.assign(times=np.random.default_rng(0).integers(0, 4, len(many)))
    for number, part in enumerate(np.split(np.arange(len(many)), [1_000, 20_000])):
        here.iloc[part].to_parquet(tmp_path / f"part {number}.parquet", index=False)
    expected = quick(n_jobs=2, drop=["times"]).fit(here, sample_weight=here["times"])
    fitted = quick().fit(spark.read.parquet(str(tmp_path)), sample_weight="times")
    assert bits(fitted) == bits(expected)


def test_weights_that_do_not_go_with_a_frame_are_refused(spark, lazy, table):
    with pytest.raises(ParameterError, match="sample_weight must be the name of a column"):
        quick().fit(lazy, sample_weight=np.ones(table.num_rows))
    with pytest.raises(ParameterError, match="sample_weight='times': the frame has no such column"):
        quick().fit(lazy, sample_weight="times")
    wrong = spark.createDataFrame(pa.table({"a": ["x", "y"] * 50, "times": [-1.0] * 100}))
    with pytest.raises(TableError, match=r"'partition \d': sample_weight, row \d+: -1\.0 is not"):
        quick().fit(wrong, sample_weight="times")
    with pytest.raises(TableError, match="sample_weight must hold numbers"):
        quick().fit(wrong, sample_weight="a")
