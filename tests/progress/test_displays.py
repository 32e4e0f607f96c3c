"""How progress is shown: on a terminal, in a notebook, as lines of a log."""

import io
import sys
import types

import pytest
from rich.console import Console

from galileomix import Progress
from galileomix._progress import displays, log_display, notebook_display, shown
from galileomix._progress.log_display import LogDisplay
from galileomix._progress.notebook_display import Bar, NotebookDisplay
from galileomix._progress.terminal_display import TerminalDisplay

GROWING = Progress("growing", 1.0, k=2, criterion="bic", value=17.5, n_passes=3)
IMPROVING = Progress("improving", 60.0, 0.25, 180.0, k=9, criterion="aic", value=1.0, n_passes=70)


def test_off_is_nothing_and_a_function_is_itself():
    with shown(False) as report:
        assert report is None
    with shown(print) as report:
        assert report is print


def test_a_log_has_a_line_now_and_then(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(log_display.time, "monotonic", lambda: now[0])
    log = LogDisplay("zoo.csv")
    for n in range(100):
        now[0] += 1.0
        log.show(Progress("reading", 1.0 + n, rows=n + 1))
    log.close(finished=True)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11
    assert lines[0] == "zoo.csv: reading: 1 row (1 per second)"
    assert lines[-1].startswith("zoo.csv: reading: 100 rows")


def test_a_log_has_a_line_for_each_part_and_none_twice(capsys):
    with shown(True) as report:
        for part in ("resample 1 of 2", "resample 1 of 2", "resample 2 of 2"):
            report(Progress("drawing", 0.0, part=part))
    assert capsys.readouterr().err.splitlines() == [
        "resample 1 of 2: drawing",
        "resample 2 of 2: drawing",
    ]


def test_a_log_says_no_more_after_an_error(capsys):
    with pytest.raises(KeyError), shown(True) as report:
        report(GROWING)
        report(IMPROVING)
        raise KeyError
    assert capsys.readouterr().err.splitlines() == [str(GROWING)]


def terminal(width, *steps, name="zoo.csv"):
    """Return the last line that a terminal of some width shows, and all that it is sent."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=width, color_system=None)
    display = TerminalDisplay(name, console)
    for step in steps:
        display.show(step)
    display.close(finished=True)
    *_, last = (line for line in file.getvalue().splitlines() if name in line)
    return last, file.getvalue()


def test_a_terminal_shows_one_line():
    line, _ = terminal(100, GROWING, IMPROVING)
    assert "zoo.csv: improving: 9 clusters, AIC 1, 70 passes" in line
    assert line.rstrip().endswith("about 3 min left")


def test_a_narrow_terminal_still_shows_the_time_left():
    line, _ = terminal(60, IMPROVING)
    assert "\n" not in line.strip() and "…" in line
    assert line.rstrip().endswith("about 3 min left")


def test_names_are_no_markup():
    line, _ = terminal(100, GROWING, name="[red]a[/red].csv")
    assert "[red]a[/red].csv: growing" in line


def test_nothing_is_left_on_a_terminal():
    last, everything = terminal(100, GROWING)
    assert everything.rpartition(last)[2].rstrip().endswith("\x1b[2K")


def test_a_bar_of_a_notebook_is_plain_html():
    html = Bar("<b>.csv", IMPROVING)._repr_html_()
    assert 'value="0.250"' in html
    assert "&lt;b&gt;.csv: improving: 9 clusters" in html
    assert "value=" not in Bar("", GROWING)._repr_html_()
    assert 'value="1.000"' in Bar("", IMPROVING, finished=True)._repr_html_()
    assert repr(Bar("zoo", GROWING)) == f"zoo: {GROWING}"


class Handle:
    def __init__(self):
        self.drawn = []

    def update(self, bar):
        self.drawn.append(bar)


@pytest.fixture
def notebook(monkeypatch):
    """What a notebook would show, without one."""
    handle = Handle()

    def display(bar, display_id):
        handle.update(bar)
        return handle

    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(display=display))
    return handle


def test_a_notebook_draws_one_bar_again_and_again(notebook, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(notebook_display.time, "monotonic", lambda: now[0])
    with shown(True, "zoo") as report:
        for n in range(10):
            now[0] += 0.1
            report(Progress("growing", n / 10, k=n))
    assert [bar.step.k for bar in notebook.drawn] == [0, 3, 6, 9, 9]
    assert notebook.drawn[-1].finished
    assert not notebook.drawn[-2].finished


def test_the_display_suits_the_place(notebook, monkeypatch):
    assert isinstance(displays.display_here(), NotebookDisplay)
    monkeypatch.delitem(sys.modules, "IPython")
    assert isinstance(displays.display_here(), LogDisplay)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    display = displays.display_here()
    display.close(finished=True)
    assert isinstance(display, TerminalDisplay)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(displays.display_here(), LogDisplay)
