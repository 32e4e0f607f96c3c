"""Tables that are named by URLs on the command line."""

import pandas as pd
import pytest


def test_a_file_of_this_machine(galileo, zoo_csv, zoo_model):
    code, out, _ = galileo("predict", zoo_model, f"file://{zoo_csv}")
    assert code == 0 and out == galileo("predict", zoo_model, zoo_csv)[1]


def test_a_url_is_not_written_to(galileo, zoo_csv, zoo_model, tmp_path):
    code, _, err = galileo("predict", zoo_model, zoo_csv, "-o", f"file://{tmp_path}/labelled.csv")
    assert code == 2 and "labelled.csv': files are written on this machine: give a path" in err


def test_files_elsewhere_are_fitted_and_not_answered(galileo, zoo_csv, zoo_model):
    fsspec = pytest.importorskip("fsspec")
    filesystem = fsspec.filesystem("memory")
    with filesystem.open("/animals/zoo.parquet", "wb") as file:
        pd.read_csv(zoo_csv).to_parquet(file)
    url = "memory://animals/zoo.parquet"
    code, out, _ = galileo("fit", url, "--max-components", "2", "--effort", "0.1")
    assert code == 0 and "clusters in 101 records" in out
    code, _, err = galileo("predict", zoo_model, url)
    assert code == 2 and "can be fitted; to answer its rows, copy it here" in err
    code, _, err = galileo("fit", url, zoo_csv)
    assert code == 2 and "give one URL, or a pattern" in err
    filesystem.rm("/animals", recursive=True)
