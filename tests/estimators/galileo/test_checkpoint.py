"""Checkpoints: a fit that was killed goes on to the same bits, and no other fit goes on from it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from galileomix import Galileo
from galileomix._estimators import checkpoints
from galileomix._model import search
from galileomix.datasets import load_zoo, make_mixed, make_rules
from galileomix.errors import CheckpointError, GalileoWarning, ParameterError
from killed_fits import Killed, kept, same


def many_rows():
    """Return enough rows that they are searched in a sample first."""
    made = make_rules(900, n_rules=3, n_attributes=6, random_state=0)
    return "v" + made.data.astype(str)


def few_records():
    """Return more numbers than records, so that there may be two searches."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 9)) + 5 * rng.integers(0, 2, (40, 1))


CASES = {
    "categories": (lambda: load_zoo().data, {"effort": 0.3}),
    "density": (lambda: load_zoo().data, {"criterion": "density", "max_components": 4}),
    "published": (lambda: load_zoo().data, {"refine": False, "max_components": 6}),
    "numbers": (lambda: make_mixed(150, random_state=1).data, {"effort": 0.1}),
    "samples": (many_rows, {"effort": 0.1}),
    "two searches": (few_records, {"effort": 0.1}),
}


pytestmark = pytest.mark.filterwarnings("ignore:the .* numbers are taken as independent")


@pytest.fixture(autouse=True)
def small_samples(monkeypatch):
    monkeypatch.setattr(search, "SAMPLES", (200,))


def unfitted(case, folder=None, **other):
    return Galileo(**{"random_state": 0, "checkpoint": folder, **CASES[case][1], **other})


@pytest.fixture(scope="module")
def expected():
    """Return the model of a fit that was not interrupted, each made once."""
    known = {}

    def fitted(case):
        if case not in known:
            known[case] = unfitted(case).fit(CASES[case][0]())
        return known[case]

    return fitted


def killed(case, folder, after, **other):
    """Kill a fit after so many steps were kept; return the places of all that was kept."""
    with kept(after) as written, pytest.raises(Killed):
        unfitted(case, folder, **other).fit(CASES[case][0]())
    return written


@pytest.mark.parametrize("case", CASES)
def test_a_fit_that_is_killed_again_and_again_ends_at_the_same_bits(case, expected, tmp_path):
    table, kills = CASES[case][0](), 0
    while True:
        try:
            with kept(killed_after=1 + kills % 4):
                model = unfitted(case, tmp_path).fit(table)
            break
        except Killed:
            kills += 1
    assert kills >= 2
    assert same(model, expected(case))
    assert os.listdir(tmp_path) == []


def test_what_was_found_is_not_computed_again(tmp_path):
    steps = killed("categories", tmp_path, 12)
    assert max(steps).state > 2  # states of the search are among them
    with kept() as written:
        unfitted("categories", tmp_path).fit(CASES["categories"][0]())
    assert written and min(written) > max(place for place in steps if not place.run)


def test_a_process_that_is_killed_goes_on_in_another(expected, tmp_path):
    program = (
        "import os, signal; from pathlib import Path; import killed_fits;"
        "from estimators.galileo.test_checkpoint import unfitted, CASES;"
        f"folder = Path({str(tmp_path)!r});"
        "kill = lambda: os.kill(os.getpid(), signal.SIGKILL);"
        "context = killed_fits.kept(9, kill); context.__enter__();"
        "unfitted('categories', folder).fit(CASES['categories'][0]())"
    )
    places = [str(Path(__file__).parents[2]), *sys.path]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert len(os.listdir(tmp_path)) > 1
    with kept() as written:
        model = unfitted("categories", tmp_path).fit(CASES["categories"][0]())
    assert min(written).state > 0 and same(model, expected("categories"))


def test_a_fit_that_began_here_goes_on_on_a_cluster(client, monkeypatch, tmp_path):
    from galileomix._passes import dask_blocks

    monkeypatch.setattr(dask_blocks, "MOST_HELD", 100)
    few = {"max_components": 2, "predictive": "chosen"}
    with kept() as written:
        here = unfitted("samples", tmp_path, **few).fit(many_rows())
    killed("samples", tmp_path, len(written) - 1, **few)
    with kept() as written:
        there = unfitted("samples", tmp_path, engine=client, **few).fit(many_rows())
    assert min(written).state > 0 and same(there, here)


def test_the_seed_of_a_random_fit_is_that_which_was_begun(tmp_path):
    killed("numbers", tmp_path, 5, random_state=None)
    with kept() as written:
        unfitted("numbers", tmp_path, random_state=None).fit(CASES["numbers"][0]())
    assert min(written).state > 0


def test_seconds_before_count(tmp_path):
    killed("categories", tmp_path, 8)
    with kept(), pytest.warns(GalileoWarning, match="stopped by time_limit=50"):
        model = unfitted("categories", tmp_path, time_limit=50).fit(CASES["categories"][0]())
    assert model.search_.seconds > 50 and not model.search_.complete


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"criterion": "aic"}, "with criterion='bic', not 'aic'"),
        ({"random_state": 1}, "with random_state=0, not 1"),
        ({"effort": 0.5, "tol": 1e-6}, "with effort=0.3, not 0.5; with tol=1e-09, not 1e-06"),
        ({"drop": ["legs"]}, "with drop=.*; of a table with other columns"),
    ],
)
def test_other_parameters_are_refused_by_name(other, said, tmp_path):
    killed("categories", tmp_path, 3)
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(CheckpointError, match=f"the checkpoint of another fit: {said}"):
        unfitted("categories", tmp_path, **other).fit(CASES["categories"][0]())
    assert sorted(os.listdir(tmp_path)) == before


def test_random_numbers_in_another_state_are_refused(tmp_path):
    killed("categories", tmp_path, 3, random_state=np.random.RandomState(0))
    other = unfitted("categories", tmp_path, random_state=np.random.RandomState(1))
    with pytest.raises(CheckpointError, match="with another state of random_state"):
        other.fit(CASES["categories"][0]())


def test_another_table_is_refused(tmp_path):
    killed("categories", tmp_path, 3)
    table = CASES["categories"][0]()
    again = unfitted("categories", tmp_path)
    with pytest.raises(CheckpointError, match="of a table with other rows, or other weights"):
        again.fit(table, sample_weight=np.arange(len(table)) + 1.0)
    with pytest.raises(CheckpointError, match="of a table with other rows, or other weights"):
        again.fit(table.iloc[::-1])
    with pytest.raises(CheckpointError, match="with other columns, or other values in them"):
        again.fit(table.iloc[:, 1:])


def test_another_version_is_refused(monkeypatch, tmp_path):
    killed("categories", tmp_path, 3)
    monkeypatch.setattr(checkpoints, "__version__", "99.0")
    with pytest.raises(CheckpointError, match=r"of galileomix .*, and this is 99\.0"):
        unfitted("categories", tmp_path).fit(CASES["categories"][0]())


@pytest.mark.parametrize("damage", ["cut", "flipped", "another"])
def test_damaged_steps_are_computed_again(damage, expected, tmp_path):
    killed("categories", tmp_path, 12)
    steps = sorted(tmp_path.glob("step-*"))
    assert len(steps) > 2
    for path in steps[-2:]:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 4
        if damage == "another":
            data = bytearray(steps[0].read_bytes().replace(b"F64", b"I64"))
        path.write_bytes(data[:-9] if damage == "cut" else data)
    with kept(), pytest.warns(GalileoWarning, match="is ignored and computed again: "):
        model = unfitted("categories", tmp_path).fit(CASES["categories"][0]())
    assert same(model, expected("categories"))


def test_a_damaged_beginning_is_refused(tmp_path):
    killed("categories", tmp_path, 3)
    path = tmp_path / "fit.galileo"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match=r"fit\.galileo': the file is cut short or damaged"):
        unfitted("categories", tmp_path).fit(CASES["categories"][0]())


def test_a_fit_goes_on_where_steps_cannot_be_written(monkeypatch, expected, tmp_path):
    def fail(self, place, manifest, arrays):
        raise OSError(28, "No space left on device")

    with kept(), pytest.warns(GalileoWarning, match="no further steps can be kept: .*No space"):
        monkeypatch.setattr("galileomix._storage.step_files.StepFiles.write", fail)
        model = unfitted("categories", tmp_path).fit(CASES["categories"][0]())
    assert same(model, expected("categories"))


def test_other_files_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    unfitted("published", tmp_path).fit(CASES["published"][0]())
    assert os.listdir(tmp_path) == ["notes.txt"]


@pytest.mark.parametrize("folder", [3, ["a"]])
def test_what_is_no_directory_is_refused(folder):
    with pytest.raises(ParameterError, match="checkpoint="):
        unfitted("published", folder).fit(CASES["published"][0]())


def test_a_file_is_no_checkpoint(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match="file'"):
        unfitted("published", tmp_path / "file").fit(CASES["published"][0]())


def test_a_saved_model_has_no_checkpoint(tmp_path):
    model = unfitted("published", tmp_path / "steps").fit(CASES["published"][0]())
    model.save(tmp_path / "model.galileo")
    assert Galileo.load(tmp_path / "model.galileo").checkpoint is None
