"""Tables in which some records are known to be anomalies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks import keel
from benchmarks.common import load as load_paper
from galileomix.datasets import make_rules

Bools = npt.NDArray[np.bool_]

PLANTED = ("mushroom", "votes", "rules")
SHARE = 0.05
CATEGORICAL = (
    "car-good",
    "car-vgood",
    "flare-F",
    "kr-vs-k-one_vs_fifteen",
    "kr-vs-k-three_vs_eleven",
    "kr-vs-k-zero-one_vs_draw",
    "kr-vs-k-zero_vs_eight",
    "kr-vs-k-zero_vs_fifteen",
    "led7digit-0-2-4-5-6-7-8-9_vs_1",
    "lymphography-normal-fibrosis",
    "poker-8-9_vs_5",
    "poker-8-9_vs_6",
    "poker-8_vs_6",
    "poker-9_vs_7",
    "zoo-3",
)
MIXED = (
    "abalone-21_vs_8",
    "abalone-3_vs_11",
    "abalone9-18",
    "cleveland-0_vs_4",
    "dermatology-6",
    "kddcup-buffer_overflow_vs_back",
    "kddcup-guess_passwd_vs_satan",
    "kddcup-land_vs_portsweep",
    "kddcup-land_vs_satan",
    "kddcup-rootkit-imap_vs_back",
)
NUMBERS = (
    "ecoli-0-1-3-7_vs_2-6",
    "ecoli4",
    "glass4",
    "glass5",
    "new-thyroid1",
    "page-blocks-1-3_vs_4",
    "shuttle-c2-vs-c4",
    "vowel0",
    "winequality-red-3_vs_5",
    "yeast-2_vs_8",
    "yeast5",
    "yeast6",
)
GROUPS = {"planted": PLANTED, "categories": CATEGORICAL, "mixed": MIXED, "numbers": NUMBERS}


def load(name: str, draw: int) -> tuple[pd.DataFrame, Bools]:
    """Return a table, and which of its records are anomalies."""
    if name not in PLANTED:
        data, target = keel.load(name, "imbalanced")
        return data, (target == "positive").to_numpy()
    if name == "rules":
        made = make_rules(5_000, random_state=draw)
        return planted(made.data, draw, made.target.to_numpy())
    return planted(load_paper(name), draw)


def planted(
    data: pd.DataFrame, draw: int, rules: npt.NDArray[np.int64] | None = None
) -> tuple[pd.DataFrame, Bools]:
    """Return a table with records besides that mix two of its own, and which these are."""
    rng = np.random.default_rng(draw)
    values = data.astype(str).to_numpy(dtype=object)
    seen, new = set(map(tuple, values)), list[npt.NDArray[np.object_]]()
    while len(new) < round(SHARE * len(values)):
        a, b = rng.choice(len(values), 2, replace=False)
        mixed = np.where(rng.random(values.shape[1]) < 0.5, values[a], values[b])
        strangers = rules is None or rules[a] != rules[b]
        if strangers and tuple(mixed) not in seen:
            new.append(mixed)
    table = pd.DataFrame(np.concatenate([values, new]), columns=data.columns, dtype="category")
    return table, np.arange(len(table)) >= len(values)
