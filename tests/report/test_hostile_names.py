"""Names of columns, values and files are data: nothing of them runs, all of them is text."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoWarning
from galileomix._fitted.visible_text import shown
from hostile_texts import CANARY, MARKUP, TEXTS
from quick_fits import quick

COLUMNS = 200
PARAMETER = f"<script>{CANARY}</script>as a parameter"
UNSEEN = f"</td><img src=x onerror='{CANARY}'>never fitted"


@pytest.fixture(scope="module")
def table():
    """Columns of hostile names, whose cells tell two clusters apart by hostile values."""
    rng = np.random.default_rng(0)
    group, other = rng.integers(0, 2, 80), len(TEXTS)
    columns = {}
    names = [text for text in dict.fromkeys(TEXTS) if "\x00" not in text]  # refused as a name
    for n, name in enumerate(names):
        pair = np.array([TEXTS[(n + 1) % other], TEXTS[(n + 2) % other]], dtype=object)
        noisy = np.where(rng.random(80) < 0.1, 1 - group, group)
        columns[name] = pair[noisy]
    return pd.DataFrame(columns).iloc[:, :COLUMNS]


@pytest.fixture(scope="module")
def hostile_report(table):
    choices = {"categorical": "all", "default_missing": False, "missing_values": [PARAMETER]}
    model = Galileo(**choices, n_components=2, effort=0.01, random_state=0).fit(table)
    changed = table.copy()
    changed.iloc[3, :COLUMNS:4] = UNSEEN
    with pytest.warns(GalileoWarning):
        return model.report(changed, name=TEXTS[-1])


def show_all_columns(page):
    buttons = page.locator("#cards footer button[aria-expanded='false']")
    while buttons.count():
        buttons.first.click()


def test_there_are_enough_of_them():
    assert len(set(TEXTS)) >= 200 and len(MARKUP) > 60


def test_nothing_runs_and_all_is_text(opened, hostile_report, table):
    page = opened(hostile_report)
    scripts = page.locator("script").count()
    show_all_columns(page)
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    page.select_option("#size", "1")
    page.select_option("#size", "2")
    for selector in (".map td[data-column]", "#cards svg", "#pairs rect"):
        page.locator(selector).first.hover()
    assert page.evaluate("globalThis.canary") is None
    assert page.locator("script").count() == scripts == 2
    strange = "img, iframe, object, embed, form, base, video, math, textarea, a[href^='javascript']"
    assert page.locator(strange).count() == 0
    handlers = "[...document.querySelectorAll(':not(.map)')].flatMap(e => [...e.attributes])"
    names = page.evaluate(f"{handlers}.map(a => a.name)")
    assert not [name for name in names if name.startswith("on") or name == "style"]


def test_every_section_has_some(opened, hostile_report):
    """Anomalies, data quality and parameters, each with texts that would run."""
    page = opened(hostile_report)
    for section in ("anomalies", "quality"):
        assert UNSEEN in page.text_content(f"#{section}")
    assert PARAMETER in page.text_content("#made")
    for section in ("map", "clusters", "compare", "attributes"):
        assert "<script>" in page.text_content(f"#{section}")


def test_every_name_and_value_is_shown(opened, hostile_report, table):
    page = opened(hostile_report)
    columns = page.eval_on_selector_all("#quality tbody th", "all => all.map(e => e.textContent)")
    assert sorted(columns) == sorted(shown(name) for name in table.columns)
    page.select_option("#attribute-sort", "table")
    in_map = page.eval_on_selector_all(".map thead bdi", "all => all.map(e => e.textContent)")
    assert len(in_map) == 40 and set(in_map) <= set(columns)
    show_all_columns(page)
    titles = page.eval_on_selector_all(
        "#cards svg text title", "all => all.map(e => e.textContent)"
    )
    values = {value for name in table for value in table[name]}
    assert {shown(value) for value in values} <= set(titles)


@pytest.mark.parametrize("part", range(4))
def test_names_of_files(chromium, part):
    """Each on a page of its own, as the title and the first line; what else is there is small."""
    model = quick().fit([["a", "x"], ["b", "y"]] * 10)
    page = chromium.new_page()
    complaints = []
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    for text in TEXTS[part::4]:
        page.set_content(model.report(name=text).html)
        assert page.text_content(".eyebrow") == shown(text)
        assert shown(text) in page.title() or text.strip() != text or "  " in text
        assert page.evaluate("globalThis.canary") is None
    assert complaints == []
    page.close()


def test_the_canary_would_tell(chromium):
    page = chromium.new_page()
    page.set_content(f"<script>{CANARY}</script>")
    assert page.evaluate("globalThis.canary") == 1
    page.close()
