import io
import json

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoDetector
from galileomix.datasets import load_zoo, make_mixed


def test_ask_equals_conditional(galileo, zoo_model):
    code, out, _ = galileo("ask", zoo_model, "legs", "--given", "milk=True", "--json")
    found = {each["value"]: each["probability"] for each in json.loads(out)}
    exact = Galileo.load(zoo_model).conditional("legs", {"milk": True})
    assert code == 0 and found == pytest.approx(exact.to_dict())
    _, out, _ = galileo("ask", zoo_model, "legs", "--given", "milk=true")
    assert "legs, given milk=true" in out and "75.6%" in out


def test_ask_for_a_number(galileo, tmp_path):
    path = str(tmp_path / "m.galileo")
    model = Galileo(random_state=0, missing="ignore").fit(make_mixed(500, random_state=0).data)
    model.save(path)
    _, out, _ = galileo("ask", path, "x0", "--given", "x1=2.5", "--given", "c0=", "--json")
    exact = model.conditional("x0", {"x1": 2.5})
    assert json.loads(out)["mean"] == pytest.approx(exact.mean)
    _, out, _ = galileo("ask", path, "x0")
    assert out.startswith("x0: ") and "95 %" in out
    code, _, err = galileo("ask", path, "x0", "--given", "x1=wide")
    assert code == 2 and "'wide' is not a number" in err


def test_sample_is_the_model_s_own(galileo, zoo_model):
    _, out, _ = galileo("sample", zoo_model, "-n", "5", "--seed", "3", "--given", "milk=True")
    found = pd.read_csv(io.StringIO(out))
    model = Galileo.load(zoo_model).set_params(random_state=3)
    exact, _ = model.sample(5, {"milk": True})
    np.testing.assert_array_equal(found.to_numpy(), exact.to_numpy())
    _, again, _ = galileo("sample", zoo_model, "-n", "5", "--seed", "3", "--given", "milk=True")
    assert again == out


@pytest.mark.parametrize("kind", [Galileo, GalileoDetector])
def test_info_says_what_a_file_holds(galileo, tmp_path, kind):
    path = str(tmp_path / "m.galileo")
    kind().fit(load_zoo().data).save(path)
    code, out, _ = galileo("info", path)
    assert code == 0 and f"a {kind.__name__} of" in out and "17 categories and 0 numbers" in out
    _, out, _ = galileo("info", path, "--json")
    about = json.loads(out)
    assert about["estimator"] == kind.__name__ and about["n_records"] == 101
    assert len(about["components"]) == about["n_components"]
    assert "arrays" not in about


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(galileo, shell):
    code, out, _ = galileo("completion", shell)
    assert code == 0 and "_GALILEO_COMPLETE" in out
