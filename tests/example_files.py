"""The files that the examples of the documents and of --help name."""

import gzip

import numpy as np
import pandas as pd

from galileomix import Galileo, GalileoDetector


def survey():
    """Answers of sixty people; a few are "?"."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 60)
    frame = pd.DataFrame({"age": np.array(["30-39", "40-49"])[group]})
    frame["sex"] = np.array(["female", "male"])[rng.integers(0, 2, 60)]
    frame["smokes"] = np.where(rng.random(60) < 0.9, np.where(group, "yes", "no"), "?")
    frame["drinks"] = np.where(rng.random(60) < 0.9, np.where(group, "tea", "coffee"), "?")
    return frame


def write(folder):
    """Write all of them into a folder."""
    table = survey()
    table.to_csv(folder / "survey.csv", index=False)
    table.to_csv(folder / "new.csv", index=False)
    with gzip.open(folder / "survey.csv.gz", "wt") as file:
        table.to_csv(file, index=False)
    (folder / "logs").mkdir()
    table.to_csv(folder / "logs" / "one.csv.gz", index=False)
    table.assign(claim_id=range(60)).to_parquet(folder / "claims.parquet")
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"age": rng.uniform(0, 90, 60), "pay": rng.uniform(0, 9, 60)})
    people.to_csv(folder / "people.csv", index=False)
    Galileo(random_state=0).fit(table).save(folder / "clusters.galileo")
    GalileoDetector(Galileo(random_state=0)).fit(table).save(folder / "usual.galileo")
