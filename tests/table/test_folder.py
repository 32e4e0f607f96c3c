"""Temporary folders go, whatever becomes of the process that made them."""

import os
import tempfile

import pytest

from galileomix._table.folder import Folder

pytest.importorskip("fcntl", reason="locks tell which process is gone")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def killed_with_a_folder():
    """A process that makes a folder and ends without a chance to remove it."""
    child = os.fork()
    if not child:
        folder = Folder()
        (folder.path / "block").write_bytes(b"left")
        os._exit(9)
    os.waitpid(child, 0)


def test_what_a_killed_process_left_is_removed_by_the_next(place):
    killed_with_a_folder()
    (left,) = place.iterdir()
    assert (left / "block").exists()
    with Folder() as folder:
        mine = folder.path
        assert list(place.iterdir()) == [mine]
    assert list(place.iterdir()) == []


def test_what_is_in_use_stays(place):
    with Folder() as one, Folder() as other:
        (one.path / "block").write_bytes(b"mine")
        assert other.path.exists() and (one.path / "block").exists()


def test_what_others_made_stays(place):
    (place / "galileo-notes").mkdir()
    (place / "galileo-file").write_text("mine")
    (place / "galileo-link").symlink_to(place / "galileo-notes")
    with Folder() as folder:
        assert folder.path.exists()
    assert len(list(place.iterdir())) == 3
