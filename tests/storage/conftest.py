import pytest

from storage.examples import TABLES, fitted


@pytest.fixture(scope="session", params=sorted(TABLES))
def example(request):
    """A fitted model and the table it was fitted to."""
    return fitted(request.param), TABLES[request.param]()


@pytest.fixture(scope="session")
def model():
    return fitted("mixed")


@pytest.fixture
def path(model, tmp_path):
    """A model file."""
    path = tmp_path / "model.galileo"
    model.save(path)
    return path
