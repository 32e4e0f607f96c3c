"""`galileo reproduce`: what it prints, writes and refuses."""

import importlib.util
import json

import pytest

from galileomix._cli import main
from galileomix._reproduce import NAMES


@pytest.fixture
def galileo(capsys):
    """Run a command; return its exit code, its data and its messages."""

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main(["reproduce", *arguments])
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return run


def test_it_prints_the_paper_s_numbers_ours_and_a_verdict(galileo):
    code, out, _ = galileo("density-examples")
    assert code == 0
    assert "3.51" in out and "3.5095" in out
    assert "density-examples: 11 reproduced" in out


def test_it_writes_a_figure_the_numbers_and_a_page(galileo, tmp_path):
    folder, page = tmp_path / "figures", tmp_path / "docs" / "page.md"
    code, out, _ = galileo("votes", "-o", str(folder), "--markdown", str(page), "--json")
    assert code == 0
    assert (folder / "votes.png").read_bytes().startswith(b"\x89PNG")
    saved = json.loads((folder / "votes.json").read_text(encoding="utf-8"))
    assert saved == json.loads(out)
    assert saved["claims"][0]["ours"] == "230 = 9 R + 221 D; 205 = 159 R + 46 D"
    text = page.read_text(encoding="utf-8")
    assert "![Votes in two clusters](../figures/votes.png)" in text
    assert "[Votes in two clusters](#votes-in-two-clusters)" in text


def test_the_same_figure_every_time(galileo, tmp_path):
    for folder in ("one", "two"):
        galileo("density-examples", "-o", str(tmp_path / folder))
    pictures = [tmp_path / folder / "density-examples.png" for folder in ("one", "two")]
    assert pictures[0].read_bytes() == pictures[1].read_bytes()


def test_an_unknown_name_is_refused(galileo):
    code, out, err = galileo("nothing")
    assert (code, out) == (2, "")
    assert all(name in err for name in NAMES)


@pytest.mark.parametrize("wrong", [["--quick", "--full"], ["--jobs", "0"], ["--jobs", "many"]])
def test_wrong_usage_is_refused_before_any_work(galileo, wrong):
    code, out, _ = galileo("all", *wrong)
    assert (code, out) == (2, "")


def test_without_matplotlib_it_says_what_to_install(galileo, monkeypatch, tmp_path):
    usual = importlib.util.find_spec
    monkeypatch.setattr(
        "galileomix.plots._drawing.find_spec",
        lambda name: None if name == "matplotlib" else usual(name),
    )
    code, out, err = galileo("all", "-o", str(tmp_path / "figures"))
    assert (code, out) == (1, "")
    assert "pip install matplotlib" in err
    assert not (tmp_path / "figures").exists()


def test_a_folder_that_is_a_file_is_refused(galileo, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, out, _ = galileo("density-examples", "-o", str(tmp_path / "file"))
    assert (code, out) == (2, "")
