"""Tables and models for the commands to work on."""

import pytest

from galileomix import Galileo
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


@pytest.fixture
def galileo(capsysbinary):
    """Run a command; give back its exit code, its data and its words."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        captured = capsysbinary.readouterr()
        return stop.value.code, captured.out.decode(), captured.err.decode()

    return run
