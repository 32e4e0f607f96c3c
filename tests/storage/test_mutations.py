"""Thousands of damaged and forged files, and saves that are killed at any moment."""

import sys

import pytest

pytest.importorskip("benchmarks", reason="the benchmarks are no part of a source release")
if sys.platform != "linux":
    pytest.skip("memory is limited and processes are killed as on Linux", allow_module_level=True)

from benchmarks.modelfiles import files, mutations, saves_killed, tried
from benchmarks.mutations import DAMAGE, FORGERY, joined, parts, signed
from benchmarks.ordeals import guarded, judged


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_always_found(kind):
    found = tried(mutations(kind, 300), strict=True)
    assert found["refused"] == 300, found["reasons"]
    assert found["memory"] <= 1


@pytest.mark.parametrize("kind", FORGERY)
def test_a_forgery_is_refused_or_a_sound_model(kind):
    found = tried(mutations(kind, 200), strict=False)
    assert found["refused"] > 80
    assert found["refused"] + found["loaded"] == 200, found["reasons"]
    assert found["memory"] <= 1


@pytest.mark.parametrize("named", [False, True])
def test_a_save_that_is_killed_leaves_the_old_file_or_the_new(named):
    found = saves_killed("small", named, 10)
    assert found["kills"] == found["old"] + found["new"] == 10
    assert found["broken"] == 0
    if not named:
        assert found["left in part"] == 0


def test_what_is_only_written_otherwise_is_the_same_model(tmp_path):
    """So a forgery is refused for what it says, not for how these tests write it."""
    with guarded():
        for data in files().values():
            manifest, tensors, rest = parts(data)
            assert judged(joined(manifest, tensors, rest), tmp_path / "m").outcome == "loaded"
            assert signed(data) == data
