"""Every warning names the line of the user."""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from galileomix import Csv, Galileo, GalileoWarning
from galileomix.errors import ConstantColumnWarning

TABLE = pd.DataFrame({"a": ["x", "y"] * 30, "b": ["u", "v"] * 30})
NEW = pd.DataFrame({"a": ["x", "z"], "b": ["u", "v"]})
MODEL = Galileo(random_state=0).fit(TABLE)
LATIN = "latin.csv"


def doubtful() -> Galileo:
    return Galileo(max_components=99, max_iter=1, refine=False, random_state=0)


CALLS: dict[str, Callable[[Any], Any]] = {
    "fit": lambda table: doubtful().fit(table, sample_weight=[0.01] * 60),
    "fit_predict": lambda table: doubtful().fit_predict(table, sample_weight=[0.01] * 60),
    "pipeline": lambda table: make_pipeline(doubtful()).fit(table),
}


@pytest.mark.parametrize("name", CALLS)
def test_doubts_about_a_fit(name: str) -> None:
    table = TABLE.assign(same="one", number=range(60))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CALLS[name](table)
    kinds = {each.category for each in caught}
    assert kinds == {GalileoWarning, ConstantColumnWarning, ConvergenceWarning}
    assert {each.filename for each in caught} == {__file__}


@pytest.mark.parametrize("method", ["predict", "predict_proba", "score_samples", "score", "aic"])
def test_values_that_fit_never_saw(method: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        getattr(MODEL, method)(NEW)
    assert [each.filename for each in caught] == [__file__]
    assert "never seen in fit ('z')" in str(caught[0].message)


def test_notes_on_files(tmp_path: Path) -> None:
    path = tmp_path / LATIN
    path.write_bytes("a,b\nx,é\ny,u\n".encode("latin-1"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        MODEL.bic(Csv(path))
        Galileo(max_components=1).fit(path)
    assert len(caught) == 3
    assert {each.filename for each in caught} == {__file__}
