"""A save that does not end leaves the old file whole, and nothing beside it."""

import os

import pytest

from galileomix import Galileo, ModelFileError
from galileomix import _atomic as atomic

CALLS = ["fsync", "link", "replace"]


@pytest.fixture(params=["unnamed", "named"])
def way(request, monkeypatch):
    """With files that have no name until they are whole, and where there are none."""
    if request.param == "named":
        monkeypatch.setattr(atomic, "OPEN_FILES", "/nowhere")
    return request.param


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_save(call, error, way, model, path, monkeypatch):
    if (call, way) == ("link", "named"):
        pytest.skip("a file with a name needs no other")
    before = path.read_bytes()

    def interrupted(*_, **__):
        raise error

    monkeypatch.setattr(os, call, interrupted)
    expected = KeyboardInterrupt if error is KeyboardInterrupt else ModelFileError
    with pytest.raises(expected):
        model.at(1).save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_both_ways_write_the_same(way, model, path):
    model.at(1).save(path)
    assert Galileo.load(path).n_components_ == 1
    assert os.listdir(path.parent) == [path.name]


def test_places_where_nothing_can_be_written(model, tmp_path):
    with pytest.raises(ModelFileError, match="this is a directory"):
        model.save(tmp_path)
    with pytest.raises(ModelFileError, match=r"x\.galileo': no such folder"):
        model.save(tmp_path / "nowhere" / "x.galileo")
    (tmp_path / "file").touch()
    with pytest.raises(ModelFileError, match="Not a directory"):
        model.save(tmp_path / "file" / "x.galileo")
