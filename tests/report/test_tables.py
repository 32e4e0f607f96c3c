"""Reports of all sorts of tables: each opens without a complaint, wide and narrow."""

import re

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo
from galileomix.datasets import load_mushroom, load_soybean, load_votes, make_mixed

QUICK = {"effort": 0.01, "random_state": 0}


def with_holes():
    table = make_mixed(random_state=0).frame.drop(columns="component")
    holes = np.random.default_rng(0).random(table.shape) < 0.1
    return table.mask(holes)


def random_letters(rows, columns):
    letters = np.random.default_rng(0).choice(list("abc"), (rows, columns))
    return pd.DataFrame(letters, columns=[f"c{n}" for n in range(columns)])


def words(clusters):
    """As many clusters as asked for, each a word of sixteen letters that all of its rows have."""
    letters = np.random.default_rng(0).choice(list("abcdefgh"), (clusters, 16))
    return pd.DataFrame(np.repeat(letters, 12, axis=0), columns=[f"c{n}" for n in range(16)])


TABLES = {
    "votes": lambda: (Galileo(**QUICK), load_votes().data),
    "soybean": lambda: (Galileo(**QUICK), load_soybean().data),
    "mixed": lambda: (Galileo(**QUICK), with_holes()),
    "one column": lambda: (Galileo(**QUICK), random_letters(200, 1)),
    "200 columns": lambda: (Galileo(**QUICK, n_components=3), random_letters(150, 200)),
    "one cluster": lambda: (Galileo(**QUICK), random_letters(200, 4)),
    "200 clusters": lambda: (Galileo(**QUICK, n_components=200), words(200)),
    "mushroom": lambda: (Galileo(**QUICK, n_components=8), load_mushroom().data[::8]),
    "long names": lambda: (
        Galileo(**QUICK),
        load_votes().data.rename(columns=lambda name: f"{name} {'long ' * 1000}"),
    ),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.filterwarnings("ignore")
def test_reports_open(name, opened):
    model, table = TABLES[name]()
    report = model.fit(table).report(table, name=name)
    for width in (1280, 390):
        page = opened(report, viewport={"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#cards article").count() == min(model.n_components_, 24)
        assert page.locator(".map tbody tr").count() == min(model.n_components_, 60)
        assert page.locator("#quality tbody tr").count() == table.shape[1]
        assert page.locator("#anomalies tbody tr").count() <= 20
        assert page.locator("#map-table, #compare-link").first.is_visible() == (
            model.n_components_ > 1
        )
        assert not re.search(r"\b1 (clusters|columns)", page.text_content("main"))
        if model.n_components_ > 60:
            page.click("#map-more")
            assert page.locator(".map tbody tr").count() == 120
    assert len(report.html) < 5_000_000
    assert model.n_components_ == {"200 clusters": 200, "one cluster": 1}.get(
        name, model.n_components_
    )


def test_words_of_the_map_are_true_and_whole(opened):
    """A value that few have has its share beside it, and a narrow map has no cut words."""
    rng = np.random.default_rng(0)
    first = np.repeat([True, False], 100)
    species = np.where(first, "human", rng.choice(list("stuvwxyz"), 200))
    table = pd.DataFrame({"species": species, "hair": np.where(first, "brown", "none at all")})
    table["code"] = [f"record {n}" for n in range(200)]
    with pytest.warns(match="identifier"):
        report = Galileo(**QUICK, n_components=2).fit(table).report(table.iloc[:150], name="some")
    page = opened(report)
    words = "all => all.filter(e => e.checkVisibility()).map(e => e.textContent)"
    assert {"human", "not human"} <= set(page.eval_on_selector_all(".map td bdi", words))
    assert page.locator("#map-words").is_visible()
    assert page.text_content(".eyebrow") == "Model of 200 records, applied to some (150 rows)"
    assert "record " in page.text_content("#anomalies tbody th")
    page.set_viewport_size({"width": 260, "height": 800})
    cut = "e => e.clientWidth < 64 && e.scrollWidth > e.clientWidth"
    page.wait_for_function(f"![...document.querySelectorAll('.map tbody td')].some({cut})")


def test_a_model_without_a_table(zoo, opened):
    page = opened(zoo.model.report())
    assert page.locator("#anomalies").count() == 0
    assert page.locator("#cards details").count() == 0
    assert page.text_content(".eyebrow") == "Galileo report"


def test_more_clusters_than_are_shown_at_first(opened):
    report = Galileo(**QUICK, n_components=30).fit(words(30)).report()
    page = opened(report)
    assert page.locator("#cards article").count() == 24
    page.click("#more")
    assert page.locator("#cards article").count() == 30 and not page.locator("#more").is_visible()
    assert not page.locator("#map-more").is_visible()
    page.locator(".map tbody tr").last.locator("td").first.click()
    assert page.evaluate("document.activeElement.className") == "card"
