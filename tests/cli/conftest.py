"""Tables and models for the commands to work on: small, and made once."""

import pytest

import example_files
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
    return example_files.survey()


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
