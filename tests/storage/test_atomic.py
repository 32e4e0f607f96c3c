"""A file is replaced whole or not at all, whenever the process is killed."""

import os
import signal
import stat
import subprocess
import sys

import pytest

from galileomix import _atomic as atomic

KILLED = """
import importlib.util, os, signal, sys
module, path, call, way = sys.argv[1:]
spec = importlib.util.spec_from_file_location("atomic", module)
atomic = importlib.util.module_from_spec(spec)  # alone: importing the package takes seconds
spec.loader.exec_module(atomic)
if way == "named":
    atomic.OPEN_FILES = "/nowhere"

def kill(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

if call != "write":
    setattr(os, call, kill)
with atomic.replacing(path) as file:
    file.write(b"new" * 10_000)
    file.flush()
    if call == "write":
        kill()
"""


@pytest.fixture(params=["unnamed", "named"])
def way(request, monkeypatch):
    """With files that have no name until they are whole, and where there are none."""
    if request.param == "named":
        monkeypatch.setattr(atomic, "OPEN_FILES", "/nowhere")
    return request.param


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    return path


@pytest.mark.parametrize("call", ["write", "fsync", "link", "replace"])
def test_a_killed_process_leaves_the_old_file(call, way, path):
    if (call, way) == ("link", "named"):
        pytest.skip("a file with a name needs no other")
    arguments = [atomic.__file__, str(path), call, way]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    if way == "unnamed" and call != "replace":
        assert os.listdir(path.parent) == [path.name]


def test_an_error_while_writing_leaves_the_old_file(way, path):
    with pytest.raises(ZeroDivisionError), atomic.replacing(path) as file:
        file.write(b"new")
        raise ZeroDivisionError
    assert path.read_text() == "old" and os.listdir(path.parent) == [path.name]


def test_the_new_file_is_there_at_the_end_and_not_before(way, path):
    with atomic.replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new" and os.listdir(path.parent) == [path.name]


def test_the_permissions_of_the_old_file_stay(way, path):
    path.chmod(0o640)
    with atomic.replacing(path):
        pass
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(way, path):
    link = path.with_name("link")
    link.symlink_to(path)
    with atomic.replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink() and path.read_text() == "new"


def test_an_error_names_the_folder_or_the_path(way, tmp_path):
    with pytest.raises(IsADirectoryError, match="this is a directory"), atomic.replacing(tmp_path):
        pass
    absent = tmp_path / "absent"
    with pytest.raises(FileNotFoundError) as caught, atomic.replacing(absent / "file"):
        pass
    assert caught.value.filename == str(absent)


@pytest.mark.parametrize("name", ["nul\0", "\ud800"])
def test_a_name_that_no_file_can_have_is_an_error_of_the_system(name, tmp_path):
    with pytest.raises(OSError, match="no file can have"), atomic.replacing(tmp_path / name):
        pass


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_is_no_regular_file_stays(kind, linked, tmp_path):
    node = name = tmp_path / "node"
    try:
        os.mkfifo(node) if kind == "pipe" else os.mknod(
            node, 0o600 | stat.S_IFCHR, os.makedev(1, 3)
        )
    except PermissionError:
        pytest.skip("only root makes devices")
    if linked:
        name = tmp_path / "link"
        name.symlink_to(node)
    before = node.lstat()
    with pytest.raises(OSError, match=f"this is a {kind}.*, not a file"), atomic.replacing(name):
        pass
    assert node.lstat() == before and {path.name for path in tmp_path.iterdir()} <= {"node", "link"}
