"""What a model took is free when the model is gone: Python need not look for cycles."""

import gc

import pytest

from galileomix import Galileo, GalileoClassifier, GalileoDetector
from galileomix.datasets import make_mixed

DATA = make_mixed(60, random_state=0).data


def quick():
    return Galileo(random_state=0, effort=0.05)


def clusters(path):
    model = quick().fit(DATA)
    model.predict_proba(DATA)
    model.explain(DATA)
    model.impute(DATA)
    model.save(path)
    Galileo.load(path).sample(5)


def anomalies(path):
    GalileoDetector(quick()).fit(DATA).score_samples(DATA)


def classes(path):
    GalileoClassifier(quick()).fit(DATA, ["yes", "no"] * 30).predict(DATA)


@pytest.mark.parametrize("work", [clusters, anomalies, classes])
def test_nothing_of_ours_waits_for_the_collector(work, tmp_path):
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        work(tmp_path / "m.galileo")
        gc.collect()
        ours = {type(each).__name__ for each in gc.garbage if "galileomix" in _module(each)}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert ours == set()


def _module(thing):
    return str(type(thing).__module__)
