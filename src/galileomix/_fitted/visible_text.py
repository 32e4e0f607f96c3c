"""Names and values as a page shows them: nothing invisible, nothing endless.

What is written from right to left stays as it is. What would reorder, hide or end the text around
it is replaced by its code point.
"""

from __future__ import annotations

import unicodedata

MOST_CHARACTERS = 120
"""Of a name or a value; of a longer one the beginning and the end are shown."""
LAST_CHARACTERS, FEWEST_LAST = 24, 4
"""The most and the fewest that are shown of an end; where there is room for fewer, none is."""
LEAST_SAVED = 3
"""A text that would be hardly shorter stays whole."""
JOINERS = "\u200c\u200d"
"""They are part of how some scripts are written, but hide among Latin letters."""
INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
"""Categories of Unicode: controls, formats, surrogates, private ones, ends of lines."""
BLANK = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Further characters that show nothing, or may show nothing."""


def shown(text: object, most: int = MOST_CHARACTERS) -> str:
    r"""Return a text with all of its characters to be seen, the middle left out of a long one.

    Where there is little room, the end is left out.

    Examples
    --------
    >>> shown("odor"), shown("two\nlines"), shown("a\u202eb"), shown("")
    ('odor', 'two⟨U+000A⟩lines', 'a⟨U+202E⟩b', '⟨empty⟩')
    >>> shown("x" * 5000)[-26:], len(shown("x" * 5000))
    (' …xxxxxxxxxxxxxxxxxxxxxxxx', 120)
    >>> shown("intoxicating", 9), shown("evanescent", 9)
    ('intoxica…', 'evanescent')
    """
    whole = str(text)
    if len(whole) >= most + LEAST_SAVED:
        whole = _shortened(whole, most)
    return visible(whole) if whole.strip() else _blank(whole)


def _shortened(text: str, most: int) -> str:
    last = min(LAST_CHARACTERS, most // 5)
    if last < FEWEST_LAST:
        return f"{text[: most - 1]}…"
    return f"{text[: most - last - 2]} …{text[len(text) - last :]}"


def visible(text: str) -> str:
    """Return a text with every character that cannot be seen replaced by its code point."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(text, place) for place in range(len(text)))


def _seen(text: str, place: int) -> str:
    character = text[place]
    if character in JOINERS and _among_others(text, place):
        return character
    hidden = unicodedata.category(character) in INVISIBLE or character in BLANK
    return f"⟨U+{ord(character):04X}⟩" if hidden else character


def _among_others(text: str, place: int) -> bool:
    """Whether the characters around a place are of a script that joins."""
    around = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
    return len(around) == 2 and not any(one.isascii() for one in around)


def _blank(text: str) -> str:
    """Return what stands for a text that shows nothing."""
    return "⟨empty⟩" if not text else "".join(f"⟨U+{ord(one):04X}⟩" for one in text)
