"""Files that were saved by earlier versions can still be loaded, and say the same."""

import json

import numpy as np
import pytest

import galileomix
from galileomix._storage import FORMAT_VERSION
from storage.examples import TABLES
from storage.make_golden import GOLDEN, MODELS, answers

FILES = sorted(GOLDEN.glob("*.galileo"))


def test_there_are_golden_files_of_every_version():
    expected = {f"v{v}_{name}" for v in range(1, FORMAT_VERSION + 1) for name in MODELS}
    assert {path.stem for path in FILES} == expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_file_says_what_it_said(path):
    expected = json.loads(path.with_suffix(".json").read_text())
    table, _ = MODELS[path.stem.split("_")[1]]
    found = answers(galileomix.load(path), TABLES[table]())
    for name in ("predict_proba", "score_samples"):  # another processor may round otherwise
        assert (name in found) == (name in expected)
        if name in expected:
            ours, theirs = np.array(found.pop(name)), np.array(expected.pop(name))
            assert np.isfinite(theirs).all()
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12)
    assert found == {"estimator": "Galileo"} | expected
