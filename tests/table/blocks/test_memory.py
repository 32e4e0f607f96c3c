"""How much memory a fit may take: sizes as text, and what the process is allowed."""

import resource
from pathlib import Path
from typing import Any

import pytest

from galileomix._table import bytes_of
from galileomix._table.blocks import memory
from galileomix.errors import ParameterError

GIB = 1024**3
UNLIMITED_V1 = 9223372036854771712  # what version 1 says where there is no limit


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A machine of 64 GiB; call it with the files of its control groups."""
    monkeypatch.setattr(memory.os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**24}.get)
    monkeypatch.setattr(memory, "CGROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "OWN_CGROUPS", tmp_path / "self")
    set_address_space(monkeypatch, resource.RLIM_INFINITY)

    def make(own: str, files: dict[str, object]) -> None:
        (tmp_path / "self").write_text(own)
        for name, contents in files.items():
            path = tmp_path / "cgroup" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{contents}\n")

    return make


def set_address_space(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    limits = {resource.RLIMIT_AS: (limit, resource.RLIM_INFINITY)}
    monkeypatch.setattr(resource, "getrlimit", limits.__getitem__)


def test_sizes() -> None:
    assert bytes_of("2k") == 2000
    assert bytes_of("2 KiB") == 2048
    for wrong in ("lots", 0, -1, True, 2.5, "0MB", ""):
        with pytest.raises(ParameterError, match="memory_limit"):
            bytes_of(wrong)  # type: ignore[arg-type]


def test_the_default_on_this_machine() -> None:
    assert 10**8 < bytes_of(None) < 10**15


@pytest.mark.parametrize(
    ("own", "files", "available"),
    [
        ("", {}, 64 * GIB),
        ("0::/\n", {"memory.max": "max"}, 64 * GIB),
        ("0::/\n", {"memory.max": 2 * GIB}, 2 * GIB),
        ("0::/\n", {"memory.max": 128 * GIB}, 64 * GIB),
        ("0::/a/b\n", {"a/memory.max": 3 * GIB, "a/b/memory.max": "max"}, 3 * GIB),
        ("0::/of/the/host\n", {"memory.max": 5 * GIB}, 5 * GIB),
        ("4:memory:/\n", {"memory/memory.limit_in_bytes": GIB}, GIB),
        ("4:memory:/\n", {"memory/memory.limit_in_bytes": UNLIMITED_V1}, 64 * GIB),
        ("9:cpu,memory:/x\n", {"memory/x/memory.limit_in_bytes": GIB}, GIB),
        ("3:cpuset:/x\n", {"memory/x/memory.limit_in_bytes": GIB}, 64 * GIB),
        ("4:memory:/docker/1\n0::/\n", {"memory/memory.limit_in_bytes": GIB}, GIB),
    ],
)
def test_containers(system: Any, own: str, files: dict[str, object], available: int) -> None:
    system(own, files)
    assert memory.available() == available
    assert bytes_of(None) == available // 2


def test_a_limit_of_the_address_space(system: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    system("0::/\n", {"memory.max": 4 * GIB})
    set_address_space(monkeypatch, 3 * GIB)
    assert memory.available() == 3 * GIB
    set_address_space(monkeypatch, 5 * GIB)
    assert memory.available() == 4 * GIB


def test_a_system_that_does_not_say(system: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(memory.os, "sysconf", unknown)
    assert memory.available() == memory.IF_UNKNOWN
