"""Make the golden files of this format version: python -m storage.make_golden, from tests/.

Run it once for each format version, and when there is a new kind of model. Files that are there are
never made again: they show that what people saved can still be loaded.
"""

import json
import pathlib

import numpy as np

from galileomix import Galileo, GalileoClassifier, GalileoDetector
from galileomix._storage import FORMAT_VERSION
from storage.examples import TABLES, fitted

GOLDEN = pathlib.Path(__file__).parent / "golden"
MODELS = {name: (name, fitted) for name in TABLES}
MODELS["detector"] = (
    "mixed",
    lambda name: GalileoDetector(Galileo(random_state=0)).fit(TABLES[name]()),
)
MODELS["classifier"] = (
    "categorical",
    lambda name: GalileoClassifier(Galileo(random_state=0)).fit(
        TABLES[name](), np.where(np.arange(len(TABLES[name]())) % 3 == 0, "third", "other")
    ),
)
"""What is kept, by name: the table it is fitted to, and how."""


def answers(model, table):
    """What a model says of a table; JSON keeps every digit."""
    inner = getattr(model, "model_", model)
    said = {
        "estimator": type(model).__name__,
        "n_components": inner.n_components_,
        "sizes": list(inner.path_.sizes),
    }
    for name in ("predict", "predict_proba", "score_samples"):
        if hasattr(model, name):
            said[name] = getattr(model, name)(table).tolist()
    return said


def main():
    for name, (table, make) in MODELS.items():
        path = GOLDEN / f"v{FORMAT_VERSION}_{name}.galileo"
        if path.exists():
            continue
        model = make(table)
        model.save(path)
        expected = answers(model, TABLES[table]())
        path.with_suffix(".json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
