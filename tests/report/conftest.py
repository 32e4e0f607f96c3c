"""Fitted models, and pages in a real browser."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from galileomix import Galileo
from galileomix.datasets import load_zoo

REQUIRED = "GALILEO_BROWSER_TESTS"
"""Set to "required", a browser that is absent is a failure; .ci/run sets it where there is one."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def absent(what):
    message = f"BROWSER TESTS NOT RUN: {what}; `make setup` installs what they take"
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def zoo():
    table = load_zoo().data
    return SimpleNamespace(table=table, model=Galileo(random_state=0).fit(table))


@pytest.fixture(scope="session")
def zoo_report(zoo):
    return zoo.model.report(zoo.table, name="zoo.csv")


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        absent("there is no Chromium")
    try:
        from playwright import sync_api
    except ImportError as error:
        absent(f"playwright is not installed ({error})")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Opened:
    """A page, what it complained of, and what it asked the network for."""

    page: object
    complaints: list = field(default_factory=list)
    requests: list = field(default_factory=list)


@pytest.fixture
def opened(chromium, tmp_path):
    """Open reports from files; afterwards none may have complained or asked for anything."""
    pages = []

    def open_report(report, **options):
        path = tmp_path / f"{len(pages)}.html"
        report.save(path)
        page = chromium.new_page(**options)
        found = Opened(page)
        page.on("console", lambda message: found.complaints.append(message.text))
        page.on("pageerror", lambda error: found.complaints.append(str(error)))
        page.on("dialog", lambda dialog: found.complaints.append("a dialog"))
        page.on("request", lambda request: found.requests.append(request.url))
        page.goto(path.as_uri())
        pages.append((found, path.as_uri()))
        return page

    yield open_report
    for found, address in pages:
        asked = [url for url in found.requests if not url.startswith("data:")]
        found.page.close()
        assert found.complaints == [] and asked == [address]


@pytest.fixture(scope="session")
def axe(tmp_path_factory):
    """The script of axe-core, which finds what some people could not use."""
    folder = tmp_path_factory.mktemp("axe")
    npm = shutil.which("npm")
    if npm is None:
        absent("there is no npm to fetch axe-core with")
    command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "axe-core@4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        absent(f"npm cannot fetch axe-core ({done.stderr.strip()[-200:]})")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.fixture
def findings(axe):
    """Return the serious findings of axe-core on a page.

    The page allows no script but its own, so that axe-core runs through the debugger.
    """

    def run(page):
        page.evaluate(axe)
        found = page.evaluate("axe.run(document)")
        serious = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
        return json.dumps(
            [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in serious]
        )

    return run
