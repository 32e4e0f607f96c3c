"""What a report shows, as one page: nothing on it can run but its own script.

Names and values are data. jinja2 escapes them in HTML; in the embedded JSON the characters that
could end the element are escaped; the script puts them on the page as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from galileomix._report.overview import NO_ANOMALY
from galileomix._report.report_contents import ReportContents
from galileomix._words import shown_probability

ROOM = "galileomix._report"
SCRIPTS = (
    *("dom.js", "state.js", "charts.js", "map.js", "path.js", "cards.js"),
    *("compare.js", "attributes.js", "main.js"),
)
"""In this order they are one script."""
IN_SCRIPT = (
    *("criterion", "chosen", "path", "attributes", "n_attributes"),
    *("mixtures", "pairs", "telling", "classes"),
)
"""What the script draws; all else is in the page from the beginning."""
ESCAPES = str.maketrans({one: f"\\u{ord(one):04x}" for one in "<>&\u2028\u2029"})
"""Of characters that mean something in HTML, or to those who read JSON as a script."""


def render(contents: ReportContents) -> str:
    """Return the page."""
    script, style = "\n".join(map(_asset, SCRIPTS)), _asset("page.css")
    data = {name: getattr(contents, name) for name in IN_SCRIPT}
    data["examples"] = {} if contents.rows is None else contents.rows.examples
    data["names"] = {} if contents.rows is None else contents.rows.names
    page = _environment().get_template("page.html")
    return page.render(
        report=contents,
        no_anomaly=NO_ANOMALY,
        policy=_policy(script, style),
        script=Markup(script),
        style=Markup(style),
        data=Markup(embedded(data)),
    )


def embedded(data: Any) -> str:
    r"""Return data as JSON that cannot end the element it stands in.

    Examples
    --------
    >>> print(embedded({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    compact = json.dumps(
        data, default=_plain, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return compact.translate(ESCAPES)


def _plain(value: Any) -> dict[str, Any]:
    """Return a record as what JSON can hold."""
    if not is_dataclass(value):
        raise TypeError(f"{value!r:.60} is no record")
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _policy(script: str, style: str) -> str:
    """Return the policy that allows the page's own script and style, and no network."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return (files(ROOM) / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    loader = PackageLoader(ROOM)
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = shown_probability
    return environment
