"""The examples that --help shows, run as they stand there."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoDetector
from galileomix._cli import galileo


def examples():
    """Yield every line below "Examples:" in the help of every command."""
    for name, command in galileo.commands.items():
        _, _, below = (command.help or "").partition("Examples:")
        for line in below.splitlines():
            if line.strip():
                yield pytest.param(line.strip(), id=f"{name}: {line.strip()}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Everything that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 60)
    ages, sexes = np.array(["30-39", "40-49"]), np.array(["female", "male"])
    survey = pd.DataFrame({"age": ages[kind], "sex": sexes[rng.integers(0, 2, 60)]})
    survey["smokes"] = np.where(rng.random(60) < 0.9, np.where(kind, "yes", "no"), "?")
    survey.to_csv(folder / "survey.csv", index=False)
    survey.to_csv(folder / "new.csv", index=False)
    with gzip.open(folder / "survey.csv.gz", "wt") as file:
        survey.to_csv(file, index=False)
    (folder / "logs").mkdir()
    survey.to_csv(folder / "logs" / "one.csv.gz", index=False)
    survey.assign(claim_id=range(60)).to_parquet(folder / "claims.parquet")
    people = pd.DataFrame({"age": rng.uniform(0, 90, 60), "pay": rng.uniform(0, 9, 60)})
    people.to_csv(folder / "people.csv", index=False)
    Galileo(random_state=0).fit(survey).save(folder / "kinds.galileo")
    GalileoDetector(Galileo(random_state=0)).fit(survey).save(folder / "usual.galileo")
    home = folder / "home"
    (home / ".config" / "fish" / "completions").mkdir(parents=True)
    return folder


@pytest.mark.parametrize("line", list(examples()))
def test_an_example_runs(line, folder):
    line = line.replace("--separator ';' --encoding latin-1", "--separator ',' --encoding latin-1")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    settings = os.environ | {"PATH": path, "HOME": str(folder / "home")}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env=settings,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_has_examples():
    without = {"demo"}
    for name, command in galileo.commands.items():
        assert name in without or "Examples:" in (command.help or ""), name
