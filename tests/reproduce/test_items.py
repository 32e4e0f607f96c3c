"""What the items find, where that is quick to compute."""

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from galileomix._reproduce import MODULES, NAMES, Plan, compute, paper
from galileomix._reproduce.items import four_tables, k_max, mushroom, scaling
from galileomix._reproduce.paper_tables import crossed, load, measures
from galileomix._reproduce.published_runs import call_all, mushroom_runs

QUICK = Plan(seeds=2, most_rows=30_000)


def test_the_examples_of_section_two():
    item = compute("density-examples", QUICK)
    assert item.tally == "11 reproduced"
    found = {claim.what: claim.ours for claim in item.claims}
    assert found["length of 3 3 1 1"] == pytest.approx(3.51, abs=5e-3)
    assert found["density of 3 3 1 1"] == pytest.approx(2.28, abs=5e-3)
    assert found["density of 1 1 / 1 0"] == pytest.approx(3 / (27 / 4) ** (2 / 3), abs=1e-12)


def test_votes_by_galileo_and_by_rock():
    words = [claim.verdict.word for claim in compute("votes", QUICK).claims]
    assert words == ["reproduced", "reproduced", "differs"]


def test_the_row_of_votes_in_the_summary_is_of_whole_records():
    votes = load("votes").data
    row = paper.SUMMARY["votes"]
    found = four_tables.as_published("votes", 3).measures
    assert found.utility == pytest.approx(row.utility, abs=1e-4)
    assert found.density == pytest.approx(row.density, abs=1e-5)
    assert found.entropy == pytest.approx(row.entropy, abs=1e-4)
    assert len(votes) == sum(map(sum, paper.VOTES["GALILEO"]))


def test_one_cluster_of_copies():
    found = measures(load("zoo").data.iloc[[0, 0, 0]], np.zeros(3))
    assert found == (0.0, 3.0, 0.0)


def test_records_of_no_cluster_are_not_counted():
    assert crossed([-1, 1, 0, 1], ["a", "a", "b", "b"], ("a", "b")) == [(1, 1), (0, 1)]


def test_the_paper_s_tables_add_up():
    assert sum(sum(row.galileo) for row in paper.MUSHROOM) == 8124
    assert sum(sum(row.rock) for row in paper.MUSHROOM) == 8124
    assert [sum(map(sum, clusters)) for clusters in paper.VOTES.values()] == [435, 372, 435]


def test_the_paper_s_mushroom_table_reproduces_itself():
    theirs = [row.galileo for row in paper.MUSHROOM]
    rock = [row.rock for row in paper.MUSHROOM if any(row.rock)]
    with_class = [pair for pair in rock if pair != (32, 72)] + [(32, 0), (0, 72)]
    claims = mushroom.claims_of(theirs, {22: rock, 23: with_class})
    assert [str(claim.verdict) for claim in claims[:-1]] == ["reproduced"] * 4
    assert claims[-1].ours == "20 of 21" and claims[-1].verdict.word == "differs"


def test_scaling_finds_the_rules(monkeypatch):
    monkeypatch.setattr(scaling, "SMALL", 1_000)  # three tables of that size, one of each other
    item = compute("scaling", QUICK)
    assert item.claims[0].verdict.word == "reproduced"
    assert item.claims[0].ours == "6 of 6 tables"
    times = [series.y for series in item.charts[0].series]
    assert np.isfinite(np.concatenate(times)).all()
    assert np.concatenate(times).min() > 0


@pytest.mark.parametrize(("exponent", "word"), [(1.04, "reproduced"), (0.9, "differs")])
def test_a_slope_near_one(exponent, word):
    x = np.array([1e4, 1e5, 1e6])
    found, error = scaling.slope(x.tolist(), (3 * x**exponent).tolist())
    assert found == pytest.approx(exponent)
    assert error == pytest.approx(0, abs=1e-6)
    assert scaling.near(found, "one pass").word == word


def test_k_max_as_published_does_not_suffice():
    found = {size: mushroom_runs(size, "entropy", 1, 1) for size in (30, 40)}
    claims = k_max.claims_of(found, {30: True, 40: True})
    assert [claim.verdict.word for claim in claims] == ["reproduced", "differs", "beaten"]
    assert claims[1].ours == "0 of 1 from 40"


def test_runs_are_the_same_in_several_processes():
    settings = [{"table": "zoo", "seed": seed} for seed in range(2)]
    alone = call_all(four_tables.as_published, settings, 1)
    assert call_all(four_tables.as_published, settings, 2) == alone


def test_an_item_is_plain_data():
    item = compute("density-examples", QUICK)
    data = json.loads(json.dumps(item.to_dict(), allow_nan=False))
    assert data["verdict"] == "reproduced"
    assert data["claims"][0]["verdict"] == "reproduced"
    assert item.name in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_the_text_of_every_item(name):
    docs = Path(__file__).parents[2] / "docs"
    module = import_module(f"galileomix._reproduce.items.{MODULES[name]}")
    saved = json.loads((docs / "reproduction" / f"{name}.json").read_text(encoding="utf-8"))
    assert saved["about"] == module.ABOUT
    section = f"## {saved['title']}\n\n{saved['source']}. {module.ABOUT}\n"
    assert section in (docs / "reproduction.md").read_text(encoding="utf-8")
