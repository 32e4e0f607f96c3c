import io
import json

import pandas as pd

from galileomix import GalileoClassifier


def test_a_column_is_learnt_and_predicted(galileo, zoo_csv, tmp_path):
    path = str(tmp_path / "types.galileo")
    code, out, err = galileo(
        "fit", zoo_csv, "--target", "type", "--drop", "animal", "-o", path, "--seed", "0"
    )
    assert code == 0, err
    assert "7 classes (amphibian, bird, fish, " in out and "The components" in out
    frame = pd.read_csv(zoo_csv)
    new = tmp_path / "new.csv"
    frame.drop(columns="type").to_csv(new, index=False)
    code, out, _ = galileo("predict", path, str(new))
    found = pd.read_csv(io.StringIO(out))
    assert code == 0 and (found["predicted"] == frame["type"]).mean() > 0.95
    assert found["probability"].between(0.3, 1).all()
    assert isinstance(GalileoClassifier.load(path), GalileoClassifier)


def test_as_json(galileo, zoo_csv):
    _, out, _ = galileo("fit", zoo_csv, "--target", "type", "--drop", "animal", "--json")
    assert len(json.loads(out)["components"]) >= 7


def test_a_target_that_is_not_there(galileo, zoo_csv):
    code, out, err = galileo("fit", zoo_csv, "--target", "kind")
    assert (code, out) == (3, "") and "no column 'kind' to predict; the columns are animal" in err


def test_an_empty_class_is_named(galileo, zoo_csv, tmp_path):
    frame = pd.read_csv(zoo_csv)
    frame.loc[4, "type"] = None
    frame.to_csv(tmp_path / "t.csv", index=False)
    code, _, err = galileo("fit", str(tmp_path / "t.csv"), "--target", "type")
    assert code == 3 and "row 4" in err and "no class" in err
