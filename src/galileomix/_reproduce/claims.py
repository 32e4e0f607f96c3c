"""What the paper claims, and whether it holds: reproduced, beaten, or differs and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from galileomix.errors import ParameterError

Word = Literal["reproduced", "beaten", "differs"]
WORDS: tuple[Word, ...] = ("reproduced", "beaten", "differs")
Better = Literal["more", "less", "neither"]
Cell = str | int | float | None


@dataclass(frozen=True)
class Verdict:
    """One of three words, with the reason where ours differs.

    Examples
    --------
    >>> print(Verdict("differs", "the paper shows one run"))
    differs: the paper shows one run
    """

    word: Word
    why: str = ""

    def __post_init__(self) -> None:
        if self.word == "differs" and not self.why:
            raise ParameterError("what differs must say why")

    def __str__(self) -> str:
        return f"{self.word}: {self.why}" if self.why else self.word


REPRODUCED, BEATEN = Verdict("reproduced"), Verdict("beaten")


@dataclass(frozen=True)
class Claim:
    """One thing that the paper claims, what we find, and the verdict."""

    what: str
    paper: Cell
    ours: Cell
    verdict: Verdict


def compare(
    paper: float, ours: float, digits: int, *, better: Better = "neither", why: str = ""
) -> Verdict:
    """Compare a number of ours with the paper's, which has so many decimals.

    Ours is the same if it is less than one unit of the last decimal away: the paper rounds some
    numbers and cuts others off.

    Examples
    --------
    >>> print(compare(0.3266, 0.32667, 4), compare(0.5711, 0.5821, 4, better="more"))
    reproduced beaten
    >>> print(compare(0.5711, 0.5, 4, better="more", why="another model"))
    differs: another model
    """
    if abs(ours - paper) < 10.0**-digits:
        return REPRODUCED
    if (better == "more" and ours > paper) or (better == "less" and ours < paper):
        return BEATEN
    return Verdict("differs", why or "no cause is known")


def same(paper: object, ours: object, why: str) -> Verdict:
    """Return "reproduced" where two things are equal, or else why they differ.

    Examples
    --------
    >>> print(same(23, 23, ""), same(23, 22, "22 is better"))
    reproduced differs: 22 is better
    """
    return REPRODUCED if paper == ours else Verdict("differs", why)


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """Join several verdicts: what differs counts most, then what is beaten.

    Examples
    --------
    >>> print(overall([REPRODUCED, BEATEN]))
    beaten
    >>> print(overall([BEATEN, Verdict("differs", "a"), Verdict("differs", "b")]))
    differs: a; b
    """
    reasons = dict.fromkeys(verdict.why for verdict in verdicts if verdict.word == "differs")
    if reasons:
        return Verdict("differs", "; ".join(reasons))
    return BEATEN if BEATEN in verdicts else REPRODUCED
