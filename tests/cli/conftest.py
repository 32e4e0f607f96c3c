"""Tables and models for the commands to work on: small, and made once."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoDetector
from galileomix._cli import main
from galileomix.datasets import load_zoo


@pytest.fixture(scope="session")
def zoo_csv(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "zoo.csv"
    load_zoo().frame.to_csv(path, index=False)
    return str(path)


@pytest.fixture(scope="session")
def zoo_model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "zoo.galileo"
    Galileo(random_state=0).fit(load_zoo().data).save(path)
    return str(path)


@pytest.fixture(scope="session")
def zoo_detector(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "detector.galileo"
    GalileoDetector(Galileo(random_state=0)).fit(load_zoo().data).save(path)
    return str(path)


@pytest.fixture(scope="session")
def survey():
    """Answers of sixty people; a few are "?"."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 60)
    frame = pd.DataFrame({"age": np.array(["30-39", "40-49"])[group]})
    frame["sex"] = np.array(["female", "male"])[rng.integers(0, 2, 60)]
    frame["smokes"] = np.where(rng.random(60) < 0.9, np.where(group, "yes", "no"), "?")
    frame["drinks"] = np.where(rng.random(60) < 0.9, np.where(group, "tea", "coffee"), "?")
    return frame


@pytest.fixture(scope="session")
def survey_csv(survey, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "survey.csv"
    survey.to_csv(path, index=False)
    return str(path)


@pytest.fixture
def galileo(capsysbinary):
    """Run a command; return its exit code, stdout and stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        captured = capsysbinary.readouterr()
        return stop.value.code, captured.out.decode(), captured.err.decode()

    return run
