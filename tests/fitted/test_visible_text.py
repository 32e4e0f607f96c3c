"""Texts as a page shows them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from galileomix._fitted.visible_text import INVISIBLE, JOINERS, MOST_CHARACTERS, shown

SCHOOLS = "religious-groups-in-schools"


@pytest.mark.parametrize(
    "text", ["odor", "a b", "é", "שלום", "مرحبا", "می\u200cخواهم", "🧬", "1 < 2"]
)
def test_what_can_be_seen_stays(text):
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "⟨empty⟩"),
        (" ", "⟨U+0020⟩"),
        ("a\x00", "a⟨U+0000⟩"),
        ("\u202eevil", "⟨U+202E⟩evil"),
        ("od\u200cor", "od⟨U+200C⟩or"),
        ("\ud800", "⟨U+D800⟩"),
        ("\u2028", "⟨U+2028⟩"),
    ],
)
def test_what_cannot_is_named(text, wanted):
    assert shown(text) == wanted


def test_long_texts_that_differ_at_the_end_differ():
    assert shown("x" * 5000 + "a") != shown("x" * 5000 + "b")
    assert len(shown("x" * 5000)) == MOST_CHARACTERS


@pytest.mark.parametrize(
    ("most", "wanted"),
    [(8, "religio…"), (14, "religious-gro…"), (24, "religious-groups-i …ools"), (25, SCHOOLS)],
)
def test_only_what_is_much_shorter_is_shortened(most, wanted):
    assert shown(SCHOOLS, most) == wanted


@given(st.text(alphabet=st.characters(codec=None)))
def test_all_of_it_can_be_seen_and_written(text):
    written = shown(text)
    assert written.strip() and written.encode()
    hidden = [one for one in written if unicodedata.category(one) in INVISIBLE]
    assert set(hidden) <= set(JOINERS)
    assert shown(written) == written or len(text) > MOST_CHARACTERS // 8
