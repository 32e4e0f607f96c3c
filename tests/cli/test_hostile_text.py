"""Names and values that would write over a terminal: a person sees them, a program gets them."""

import unicodedata

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix._fitted.visible_text import INVISIBLE

RED, BACKWARDS, LINES, BRACKETS = "\x1b[31mred", "\u202eder", "two\nlines", "[bold]"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A table of two clusters, one row that is of neither, and a column that is constant."""
    group = np.arange(60) % 2
    columns = {
        name: np.where(group, f"{name}1", f"{name}0") for name in (RED, BACKWARDS, LINES, BRACKETS)
    }
    table = pd.DataFrame(columns | {"same\x07": "x", "id\x1b": [f"i{n}" for n in range(60)]})
    table.loc[0, RED] = f"{RED}1"
    path = tmp_path_factory.mktemp("hostile") / "table.csv"
    table.to_csv(path, index=False)
    return str(path)


@pytest.fixture(scope="module")
def model(hostile):
    path = hostile.replace("table.csv", "model.galileo")
    Galileo(random_state=0, drop=["same\x07", "id\x1b"]).fit(hostile).save(path)
    return path


COMMANDS = [
    ("fit", "TABLE"),
    ("info", "MODEL"),
    ("anomalies", "TABLE"),
    ("query", "MODEL", RED, "--given", f"{LINES}={LINES}1"),
    ("query", "MODEL", RED, "--given", f"{LINES}=other\x1b"),
    ("compare", "TABLE", "--only", "k-modes"),
    ("predict", "MODEL", "OTHER"),
    ("fit", "TABLE", "--target", RED),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_orders_the_terminal_around(command, hostile, model, galileo, tmp_path):
    other = tmp_path / "other.csv"  # which has none of the columns
    other.write_text("a,b\n1,2\n")
    names = {"TABLE": hostile, "MODEL": model, "OTHER": str(other)}
    _, out, err = galileo(*(names.get(word, word) for word in command))
    written = (out + err).replace("\n", "")
    assert written
    assert [one for one in written if unicodedata.category(one) in INVISIBLE] == []
    assert command[0] != "info" or all(
        said in out for said in ("⟨U+001B⟩[31mred", "⟨U+202E⟩der", "two⟨U+000A⟩lines", BRACKETS)
    )


def test_programs_get_what_the_table_holds(hostile, model, galileo):
    _, out, _ = galileo("predict", model, hostile)
    assert out.startswith(f'{RED},{BACKWARDS},"{LINES}",{BRACKETS}') and f"{RED}0" in out
