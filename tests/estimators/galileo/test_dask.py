"""Tables of Dask: fitted on a cluster to the same bits, answered lazily."""

import copy
import os
import pickle
import signal

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from pandas.testing import assert_frame_equal
from sklearn.base import clone

from galileomix import Galileo, GalileoDetector
from galileomix._estimators.light import light
from galileomix._table import BLOCK_ROWS
from galileomix.datasets import load_mushroom, load_soybean, make_mixed
from galileomix.errors import GalileoWarning, ParameterError, TableError
from quick_fits import bits, quick

frames = pytest.importorskip("dask.dataframe", reason="dask is not installed")
arrays = pytest.importorskip("dask.array", reason="dask is not installed")
dask_blocks = pytest.importorskip("galileomix._passes.dask_blocks", exc_type=ImportError)


TABLES = {
    "mushroom": load_mushroom().data,
    "soybean": load_soybean().data,
    "mixed": make_mixed(2000, missing=0.1, random_state=3).data,
}


@pytest.fixture(scope="module")
def small():
    table = TABLES["mixed"]
    return table, quick().fit(table), frames.from_pandas(table, 3)


@pytest.mark.parametrize(("name", "n_partitions"), [("mushroom", 7), ("soybean", 64), ("mixed", 1)])
def test_small_tables_give_the_same_bits_in_any_partitions(client, name, n_partitions):
    table = frames.from_pandas(TABLES[name], n_partitions)
    assert bits(quick(engine=client).fit(table)) == bits(quick().fit(TABLES[name]))


@pytest.mark.parametrize("n_partitions", [1, 7])
def test_large_tables_give_the_same_bits(client, many, in_many, n_partitions):
    fitted = quick(engine=client).fit(frames.from_pandas(many, n_partitions))
    assert bits(fitted) == bits(in_many)
    assert fitted.n_passes_ == in_many.n_passes_
    assert np.array_equal(fitted.labels_.compute(), in_many.labels_)


def test_tasks_of_any_size_give_the_same_bits(client, many, in_many, monkeypatch):
    monkeypatch.setattr(dask_blocks, "rows_of_task", lambda n_rows: 4 * BLOCK_ROWS)
    assert bits(quick(engine=client).fit(frames.from_pandas(many, 2))) == bits(in_many)


def test_a_worker_killed_during_a_fit_changes_nothing(client, many, in_many):
    processes = list(client.run(os.getpid).values())

    def kill(step):
        if processes:
            os.kill(processes.pop(), signal.SIGKILL)

    table = frames.from_pandas(many, 7)
    assert bits(quick(engine=client, progress=kill).fit(table)) == bits(in_many)
    assert processes == []


def test_files_and_tables_in_memory_are_fitted_on_a_cluster_too(
    client, many, in_many, tmp_path, monkeypatch
):
    """Paths that are relative are so to the folder of this process."""
    for number, part in enumerate(np.array_split(np.arange(len(many)), 3)):
        many.iloc[part].to_parquet(tmp_path / f"part{number}.parquet", index=False)
    monkeypatch.chdir(tmp_path)
    fitted = quick(engine=client).fit("*.parquet")
    assert bits(fitted) == bits(in_many)
    assert np.array_equal(fitted.labels_, in_many.labels_)
    assert bits(quick(engine=client).fit(TABLES["soybean"])) == bits(quick().fit(TABLES["soybean"]))


@pytest.mark.parametrize("more", [1, -1])
def test_partitions_with_other_rows_when_they_are_read_again_are_named(client, tmp_path, more):
    def changing(number, path=tmp_path / "rows"):  # goes to workers by value
        whole = pd.DataFrame({"a": ["x", "y"] * 50})
        if number == 0:
            return whole
        n_rows = int(path.read_text()) if path.exists() else 50
        path.write_text(str(n_rows + more))
        return whole[:n_rows]

    table = frames.from_map(changing, [0, 1], meta=pd.DataFrame({"a": ["x"]}))
    with pytest.raises(TableError, match=r"'partition 1': it had \d+ rows, and \d+ when"):
        quick(engine=client).fit(table)


def test_twenty_files_with_rows_in_any_of_them_give_the_same_clusters(client, tmp_path):
    whole = TABLES["mushroom"]
    order = np.random.default_rng(0).permutation(len(whole))
    for number, part in enumerate(np.array_split(order, 20)):
        whole.iloc[part].to_parquet(tmp_path / f"part{number:02}.parquet", index=False)
    fitted = quick(engine=client).fit(str(tmp_path))
    assert np.array_equal(fitted.labels_, quick().fit(whole).labels_[order])


def test_without_a_client_a_dask_table_is_fitted_here(small):
    _, model, lazy = small
    assert bits(quick().fit(lazy)) == bits(model)


def test_frames_are_answered_lazily_by_series_and_frames(small):
    table, model, lazy = small
    labels, scores = model.predict(lazy), model.score_samples(lazy)
    assert isinstance(labels, frames.Series) and (labels.name, scores.name) == (
        "cluster",
        "log_density",
    )
    assert np.array_equal(labels.compute(), model.predict(table))
    assert_allclose(scores.compute(), model.score_samples(table))
    shares = model.predict_proba(lazy).compute()
    assert shares.columns.tolist() == model.get_feature_names_out().tolist()
    assert shares.index.equals(table.index)
    assert_allclose(shares, model.predict_proba(table), atol=1e-12)
    assert_allclose(model.score(lazy), model.score(table))


def test_columns_that_are_not_there_are_missed_at_once(small):
    table, model, lazy = small
    detector = GalileoDetector(quick()).fit(table)
    for ask in (model.predict, model.predict_proba, model.impute, detector.score_samples):
        with pytest.raises(TableError, match="yet now missing:\n- x0"):
            ask(lazy.drop(columns="x0"))
    with pytest.raises(TableError, match="a Dask table must have two dimensions"):
        model.predict(lazy["x0"])


def test_frames_are_imputed_lazily(small):
    _, model, lazy = small
    filled = model.impute(lazy)
    assert isinstance(filled, frames.DataFrame)
    assert_frame_equal(filled.compute(), model.impute(lazy.compute()))
    with pytest.raises(ParameterError, match="a frame of Dask or Spark is filled lazily"):
        model.impute(lazy, n_draws=2)


def test_partitions_without_rows_are_answered(small):
    _, model, lazy = small
    none = lazy[lazy["x0"] > 1e9]
    assert [len(found(none).compute()) for found in (model.predict, model.impute)] == [0, 0]


def test_arrays_are_answered_by_arrays():
    numbers = np.random.default_rng(0).normal(size=(300, 3)) + np.repeat([[0], [9], [18]], 100, 0)
    lazy, model = arrays.from_array(numbers, chunks=(100, 2)), quick().fit(numbers)
    assert isinstance(model.predict(lazy), arrays.Array)
    assert np.array_equal(model.predict(lazy).compute(), model.labels_)
    shares = model.predict_proba(lazy).compute()
    assert_allclose(shares, model.predict_proba(numbers), atol=1e-12)


def test_a_detector_scores_frames_lazily(small):
    table, _, lazy = small
    detector = GalileoDetector(quick()).fit(table)
    assert_allclose(detector.score_samples(lazy).compute(), detector.score_samples(table))
    assert np.array_equal(detector.predict(lazy).compute(), detector.predict(table))


def test_models_are_sent_and_pickled_without_the_table_they_were_fitted_to(small):
    """Lazy labels hold it: this one would be some 100 kB more."""
    table, model, lazy = small
    detector = GalileoDetector(quick()).fit(lazy)
    assert not hasattr(light(detector).model_, "labels_")
    assert not hasattr(light(GalileoDetector(model).fit(table)).model, "labels_")
    assert isinstance(detector.model_.labels_, frames.Series)
    for copied in (pickle.loads(pickle.dumps(detector)), copy.deepcopy(detector)):
        assert not hasattr(copied.model_, "labels_")
        assert_allclose(copied.score_samples(lazy).compute(), detector.score_samples(table))


def test_a_client_is_shared_by_clones_and_left_out_of_files(client, tmp_path):
    model = quick(engine=client)
    assert clone(model).engine is client
    assert pickle.loads(pickle.dumps(model)).engine == "auto"
    model.fit(TABLES["soybean"])
    with pytest.warns(GalileoWarning, match="engine is a Dask client and is not saved"):
        model.save(tmp_path / "model.galileo")
    assert Galileo.load(tmp_path / "model.galileo").engine == "auto"


def test_what_cannot_be_done_is_said(client, small):
    _, _, lazy = small
    with pytest.raises(ParameterError, match="engine='dusk': it must be 'auto', 'local', 'dask'"):
        quick(engine="dusk").fit(lazy)
    with pytest.raises(ParameterError, match="engine='dask' needs a Dask cluster"):
        quick(engine="dask").fit(lazy)


@pytest.fixture(scope="module")
def weights():
    """Weights of the small table, some of them zero."""
    return np.random.default_rng(0).integers(0, 4, len(TABLES["mixed"])) * 0.7


@pytest.fixture(scope="module")
def weighted(weights):
    return quick().fit(TABLES["mixed"], sample_weight=weights)


@pytest.mark.parametrize("form", ["series", "array", "in memory"])
def test_weights_of_dask_tables_give_the_same_bits(client, small, weights, weighted, form):
    table, _, lazy = small
    series = frames.from_pandas(pd.Series(weights, table.index), 3)
    forms = {"series": series, "array": series.to_dask_array(lengths=True), "in memory": weights}
    fitted = quick(engine=client).fit(lazy, sample_weight=forms[form])
    assert bits(fitted) == bits(weighted)
    assert np.array_equal(fitted.labels_.compute(), weighted.labels_)
    expected = weighted.score(table, sample_weight=weights)
    assert_allclose(fitted.score(lazy, sample_weight=forms[form]), expected)


def test_weights_of_files_and_of_tables_in_memory_give_the_same_bits(
    client, weights, weighted, tmp_path
):
    table = TABLES["mixed"]
    for number, part in enumerate(np.array_split(np.arange(len(table)), 3)):
        table.iloc[part].to_parquet(tmp_path / f"part{number}.parquet", index=False)
    for given in (table, str(tmp_path)):
        fitted = quick(engine=client).fit(given, sample_weight=weights)
        assert bits(fitted) == bits(weighted)
        assert np.array_equal(fitted.labels_, weighted.labels_)


def test_weights_of_a_large_table_give_the_same_bits(client, many):
    weights = np.random.default_rng(0).integers(0, 4, len(many))
    expected = quick(n_jobs=2).fit(many, sample_weight=weights)
    for given in (many, frames.from_pandas(many, 7)):
        fitted = quick(engine=client).fit(given, sample_weight=weights)
        assert bits(fitted) == bits(expected)
        assert np.array_equal(fitted.labels_, expected.labels_)


def test_weights_here_may_be_of_dask_too(small, weights, weighted):
    table, _, lazy = small
    series = frames.from_pandas(pd.Series(weights, table.index), 3)
    assert bits(quick(engine="local").fit(lazy, sample_weight=series)) == bits(weighted)


def test_weights_that_do_not_go_with_the_table_are_refused(client, small):
    table, _, lazy = small
    model = quick(engine=client)
    ones = frames.from_pandas(pd.Series(1.0, table.index), 3)
    with pytest.raises(ParameterError, match="sample_weight has 2 partitions, and the table has 3"):
        model.fit(lazy, sample_weight=ones.repartition(npartitions=2))
    with pytest.raises(ParameterError, match="sample_weight has 2 dimensions"):
        model.fit(lazy, sample_weight=lazy)
    with pytest.raises(ParameterError, match="sample_weight='x0': the name of a column is for"):
        model.fit(lazy, sample_weight="x0")
    with pytest.raises(ParameterError, match="sample_weight is of a cluster, and the table is not"):
        model.fit(table, sample_weight=ones)
    # All partitions are wrong, and whichever is looked at first is named.
    with pytest.raises(TableError, match=r"'partition \d': sample_weight, row 0: -1\.0 is not a"):
        model.fit(lazy, sample_weight=-ones)
    with pytest.raises(TableError, match=r"'partition 0': sample_weight has \d+ weights, but"):
        model.fit(lazy, sample_weight=ones[table.index[1:].tolist()[0] :])
    with pytest.raises(TableError, match="at least one non-zero"):
        model.fit(lazy, sample_weight=0 * ones)
    with pytest.raises(TableError, match=r"sample_weight.shape == \(2,\)"):
        model.fit(lazy, sample_weight=[1.0, 2.0])
