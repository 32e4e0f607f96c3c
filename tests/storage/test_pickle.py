"""Pickle works, as scikit-learn's users expect; it is for files that one trusts."""

import copy
import pickle

import numpy as np
import pytest

from galileomix import Galileo
from storage.examples import TABLES
from storage.make_golden import MODELS
from storage.same import assert_same_model

TRUSTED = [
    "galileomix._estimators.galileo.Galileo",
    "galileomix._fitted.fitted_model.FittedModel",
    "galileomix._fitted.fitted_model.Units",
    "galileomix._fitted.predictive.Predictive",
    "galileomix._fitted.predictive.Share",
    "galileomix._model.params.Layout",
    "galileomix._model.params.Mixture",
    "galileomix._model.stats.Background",
    "galileomix._fitted.results.Path",
    "galileomix._fitted.results.SearchRecord",
    "galileomix._fitted.results.Step",
    "galileomix._table.attribute.Binned",
    "galileomix._table.attribute.Categorical",
    "galileomix._table.attribute.Numeric",
    "galileomix._table.schema.ColumnType",
    "galileomix._table.schema.Schema",
    "galileomix._table.text.text_format.TextFormat",
]


def test_a_pickle_gives_the_same_model(example):
    model, table = example
    loaded = pickle.loads(pickle.dumps(model))
    assert_same_model(model, loaded, table)
    assert loaded.labels_.tobytes() == model.labels_.tobytes()
    assert loaded.get_params() == model.get_params()
    assert_same_model(model, copy.deepcopy(model), table)


def test_what_was_computed_is_not_pickled(example):
    model, table = example
    before = len(pickle.dumps(pickle.loads(pickle.dumps(model))))
    model.predict_proba(table)
    assert len(pickle.dumps(pickle.loads(pickle.dumps(model)))) == before
    loaded = pickle.loads(pickle.dumps(model))
    assert set(vars(loaded._model.mixture)) == {"layout", "alpha", "p", "mu", "Sigma"}
    assert set(vars(loaded._model.mixture.layout)) == {
        "cardinalities",
        "n_numeric",
        "constant",
        "diagonal",
        "ordered",
    }


def test_skops_gives_the_same_model(example):
    """It asks which types are to be trusted; ours are these, and no others."""
    skops = pytest.importorskip("skops.io")
    model, table = example
    data = skops.dumps(model)
    unknown = skops.get_untrusted_types(data=data)
    assert set(unknown) <= set(TRUSTED)
    loaded = skops.loads(data, trusted=unknown)
    assert isinstance(loaded, Galileo)
    assert_same_model(model, loaded, table)
    assert np.array_equal(loaded.labels_, model.labels_)


@pytest.mark.parametrize("name", ["detector", "classifier"])
def test_meta_estimators_can_be_pickled_and_trusted_to_skops(name):
    sio = pytest.importorskip("skops.io")
    table, make = MODELS[name]
    model, rows = make(table), TABLES[table]()
    path = {"detector": "detector.GalileoDetector", "classifier": "classifier.GalileoClassifier"}
    trusted = [*TRUSTED, f"galileomix._estimators.{path[name]}"]
    for loaded in (
        pickle.loads(pickle.dumps(model)),
        sio.loads(sio.dumps(model), trusted=trusted),
    ):
        np.testing.assert_array_equal(loaded.predict(rows), model.predict(rows))
