"""The page as text: one file, its own script and style and no others."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from galileomix._report.render_page import embedded
from galileomix.errors import ParameterError


def policy(page):
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    return found[1].replace("&#39;", "'")


def digest(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_policy_allows_its_own_script_and_style(zoo_report):
    script = re.search(r"<script>(.*?)</script>", zoo_report.html, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", zoo_report.html, re.DOTALL)[1]
    rules = dict(rule.strip().split(" ", 1) for rule in policy(zoo_report.html).split(";"))
    assert rules["default-src"] == "'none'" and rules["img-src"] == "data:"
    assert rules["script-src"] == f"'{digest(script)}'"
    assert rules["style-src"] == f"'{digest(style)}'"


def test_the_policy_comes_before_anything_that_could_run(zoo_report):
    assert zoo_report.html.index("Content-Security-Policy") < zoo_report.html.index("<script")


def test_nothing_is_asked_of_the_network(zoo_report):
    addresses = set(re.findall(r"https?://[^\s\"'<]+", zoo_report.html))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", zoo_report.html
    )


def test_no_handlers_and_no_styles_in_the_markup(zoo_report):
    found = set()
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: found.update(name for name, _ in attrs)
    parser.feed(zoo_report.html)
    assert "class" in found and "style" not in found
    assert not [name for name in found if name.startswith("on")]


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "&amp;", "\u2028\u2029", "\u202e"])
def test_embedded_data_cannot_end_its_element(text):
    written = embedded({text: [text]})
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {text: [text]}


def test_what_is_no_record_is_refused():
    with pytest.raises(TypeError, match="is no record"):
        embedded({"x": object()})


def test_only_pages_are_saved(zoo_report, tmp_path):
    with pytest.raises(ParameterError, match=r"the name must end in \.html"):
        zoo_report.save(tmp_path / "zoo.pdf")


def test_it_says_what_it_is(zoo_report):
    assert repr(zoo_report).startswith("Report(a page of ")


def test_the_same_model_has_the_same_page(zoo, zoo_report):
    assert zoo.model.report(zoo.table, name="zoo.csv").html == zoo_report.html
