"""The option --engine."""

import pytest

from galileomix import Galileo


def test_files_are_fitted_on_a_cluster(client, galileo, zoo_csv, tmp_path):
    address = client.scheduler.address.removeprefix("tcp://")
    output = tmp_path / "model.galileo"
    code, out, _ = galileo("fit", zoo_csv, "--engine", f"dask://{address}", "-o", str(output))
    assert code == 0 and "clusters in 101 records" in out
    found, expected = Galileo.load(output), Galileo(random_state=0).fit(zoo_csv)
    assert found.engine == "auto" and (found.weights_ == expected.weights_).all()


@pytest.mark.parametrize("engine", ["dusk", "dask://", "dask://host", "dask://host:80x"])
def test_what_is_no_engine_is_refused(galileo, zoo_csv, engine):
    code, _, err = galileo("fit", zoo_csv, "--engine", engine)
    assert code == 2 and "it must be local, or dask://HOST:PORT" in err


def test_a_classifier_is_fitted_here(galileo, zoo_csv):
    code, _, err = galileo("fit", zoo_csv, "--target", "type", "--engine", "dask://host:8786")
    assert code == 2 and "--engine is for clusters" in err
