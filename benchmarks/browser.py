"""A headless Chromium for the benchmarks and pictures of the report."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SETTLED = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
    () => done(performance.now()))))"""
"""Milliseconds from the beginning of the navigation until the page is drawn."""


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser, and end it afterwards."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        raise SystemExit("there is no Chromium: `make browser` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
