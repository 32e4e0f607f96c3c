"""Make the golden files of this format version: python -m modelfiles.make_golden, from tests/.

Run it once for each format version. Files of earlier versions are never made again: they show
that what people saved can still be loaded. Nothing is written over.
"""

import json
import pathlib

from galileomix.storage import FORMAT_VERSION
from modelfiles.examples import TABLES, fitted

GOLDEN = pathlib.Path(__file__).parent / "golden"


def answers(model, table):
    """What a model says of a table; JSON keeps every digit."""
    return {
        "n_components": model.n_components_,
        "sizes": list(model.path_.sizes),
        "predict": model.predict(table).tolist(),
        "predict_proba": model.predict_proba(table).tolist(),
        "score_samples": model.score_samples(table).tolist(),
        "names": model.profile()["name"].tolist(),
    }


def main():
    for name, make_table in TABLES.items():
        path = GOLDEN / f"v{FORMAT_VERSION}_{name}.galileo"
        if path.exists():
            raise SystemExit(f"{path} is there already; a golden file stays what it is")
        model = fitted(name)
        model.save(path)
        expected = answers(model, make_table())
        path.with_suffix(".json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
