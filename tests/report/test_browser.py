"""The report in a real browser: what a reader can do with it."""

import pytest

SIZE, CARDS = "#size", "#cards article"


def text(page, selector):
    return page.text_content(selector)


def names(page):
    return page.eval_on_selector_all("#cards article h3 bdi", "all => all.map(e => e.textContent)")


def test_the_summary_and_the_map_come_first(opened, zoo_report):
    page = opened(zoo_report, viewport={"width": 1280, "height": 900})
    assert text(page, "h1") == "4 clusters in 101 records of 17 columns"
    last_row = page.locator(".map tbody tr").last.bounding_box()
    assert last_row["y"] + last_row["height"] < 900
    assert page.locator(".map tbody tr").count() == 4
    assert page.locator(".map tbody td").count() == 4 * 17


def test_another_number_of_clusters_changes_everything(opened, zoo_report):
    page = opened(zoo_report)
    before = names(page)
    page.select_option(SIZE, "2")
    assert page.locator(CARDS).count() == 2 and page.locator(".map tbody tr").count() == 2
    assert names(page) != before
    assert "2 of 2 clusters" in text(page, "#found")
    assert page.locator("#first option").count() == 2
    line = page.locator("#other-size")
    assert line.text_content().startswith(
        "You are looking at 2 clusters; 4 were chosen. The summary"
    )
    assert page.locator("#path-chart .mark").all_text_contents() == ["4 chosen", "2 shown"]
    assert line.is_visible() and "Cluster (of 4)" in text(page, "#anomalies")
    page.locator("#path-chart .hit[data-k='3']").click()
    assert page.input_value(SIZE) == "3" and page.locator(CARDS).count() == 3


def test_search_finds_what_sets_clusters_apart(opened, zoo_report):
    page = opened(zoo_report)
    page.fill("#search", "FEATHERS=true")
    assert names(page) == ["feathers=True"]
    page.fill("#search", "no such animal")
    assert page.locator(CARDS).count() == 0
    assert "0 of 4 clusters: the search looks at names, numbers and sizes" in text(page, "#found")
    for query in ("feathers = True", "bird true", "20", "cluster 2"):
        page.fill("#search", query)
        assert names(page) == ["feathers=True"]
    page.fill("#search", "")
    assert page.locator(CARDS).count() == 4


@pytest.mark.parametrize("order", ["density", "differs", "name"])
def test_sort_changes_the_order(opened, zoo_report, order):
    page = opened(zoo_report)
    by_size = names(page)
    page.select_option("#sort", order)
    assert sorted(names(page)) == sorted(by_size)
    if order == "name":
        assert names(page) == sorted(by_size, key=str.lower)


def test_compare_shows_two_clusters_side_by_side(opened, zoo_report):
    page = opened(zoo_report)
    page.select_option("#first", "2")
    page.select_option("#second", "3")
    heads = page.eval_on_selector_all("#comparison h3", "all => all.map(e => e.textContent)")
    assert heads == ["Cluster 2", "Cluster 3"]
    assert page.locator("#comparison svg").count() == 20
    page.locator("#cluster-0 footer button", has_text="Compare").click()
    assert page.input_value("#first") == "0" and page.input_value("#second") == "3"
    page.locator("#cluster-2 footer button", has_text="Compare").click()
    assert page.input_value("#first") == "0" and page.input_value("#second") == "2"


def test_compare_shows_all_columns_too(opened, zoo_report):
    page = opened(zoo_report)
    assert text(page, "#compared") == "The 10 of 17 columns in which they differ most are shown."
    page.click("#compare-all")
    assert page.locator("#comparison svg").count() == 34
    assert page.evaluate("document.activeElement.id") == "compare-all"
    page.click("#compare-all")
    assert page.locator("#comparison svg").count() == 20


def test_compared_clusters_have_the_same_values(opened, zoo_report):
    page = opened(zoo_report)
    labels = "all => all.map(s => [...s.querySelectorAll('text title')].map(t => t.textContent))"
    drawn = page.eval_on_selector_all("#comparison svg", labels)
    assert drawn[0::2] == drawn[1::2] and max(map(len, drawn)) > 2


def test_a_first_tap_explains_and_the_second_opens(opened, zoo_report):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = opened(zoo_report, **phone)
    assert text(page, "#map-detail").startswith("Tap a cell")
    cell = page.locator(".map tbody tr").nth(1).locator("td").first
    cell.tap()
    assert "Cluster 1" in text(page, "#map-detail")
    assert page.evaluate("document.activeElement.id") != "cluster-1"
    cell.tap()
    assert page.evaluate("document.activeElement.id") == "cluster-1"


def test_cards_show_all_columns_and_typical_records(opened, zoo_report):
    page = opened(zoo_report)
    card = page.locator("#cluster-1")
    assert card.locator("svg").count() == 4
    card.locator("footer button", has_text="Show all 17 columns").click()
    assert card.locator("svg").count() == 17
    assert page.evaluate("document.activeElement.textContent") == "Show fewer columns"
    page.select_option("#sort", "name")
    assert card.locator("svg").count() == 17
    card.locator("footer button", has_text="Show fewer columns").click()
    assert card.locator("svg").count() == 4
    card.locator("summary").click()
    assert card.locator("details tbody tr").count() == 10
    assert card.locator("details thead th").count() == 4


def test_the_map_is_for_the_keyboard_too(opened, zoo_report):
    page = opened(zoo_report)
    page.locator(".map td[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    here = page.evaluate("document.activeElement.dataset.cluster")
    assert here == "1" and "Cluster 1" in text(page, "#map-detail")
    assert page.evaluate("document.activeElement.cellIndex") == 2
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "cluster-1"


def test_everything_is_reached_by_the_tab_key(opened, zoo_report):
    page = opened(zoo_report)
    wanted = page.evaluate(
        "[...document.querySelectorAll('a, button, select, input, summary, [tabindex=\"0\"]')]"
        ".filter(e => e.checkVisibility()).length"
    )
    reached = set()
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        place = page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        if page.evaluate("document.activeElement !== document.body"):
            reached.add(place)
            assert outline != "none"
    assert len(reached) == wanted


def test_dark_by_the_system_and_by_the_button(opened, zoo_report):
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = opened(zoo_report, color_scheme="dark").evaluate(ground)
    page = opened(zoo_report, color_scheme="light")
    light = page.evaluate(ground)
    page.click("#theme")
    assert light != dark == page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) == light


def test_narrow_screens_do_not_scroll_sideways(opened, zoo_report):
    page = opened(zoo_report, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for inside in ("#path-chart", "#anomalies .scroll", "#quality .scroll"):
        assert (
            page.evaluate(
                f"(e => e.scrollWidth - e.clientWidth)(document.querySelector('{inside}'))"
            )
            <= 0
        )
    assert page.locator("#path-chart svg").bounding_box()["width"] < 390
    assert page.locator("#comparison .which").first.text_content() == "Cluster 0"
    assert page.locator("#comparison .which").first.is_visible()


def test_the_map_is_seen_in_forced_colours(opened, zoo_report):
    page = opened(zoo_report, forced_colors="active")
    colours = "all => all.map(e => getComputedStyle(e).backgroundColor)"
    assert len(set(page.eval_on_selector_all(".map td[data-column]", colours))) > 3


def test_it_prints(opened, zoo_report):
    page = opened(zoo_report, color_scheme="dark")
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator(".bar").is_visible() and page.locator(".map").is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('h3')).breakAfter") == "avoid"


def test_a_notebook_shows_it_in_a_frame(chromium, zoo_report):
    page = chromium.new_page()
    page.set_content(f"<body>{zoo_report._repr_html_()}</body>")
    frame = page.frames[1]
    frame.wait_for_selector(CARDS)
    assert frame.locator(CARDS).count() == 4
    frame.select_option(SIZE, "2")
    assert frame.locator(CARDS).count() == 2
    page.close()
