"""Nothing that axe-core calls serious or critical, contrast in both modes included."""

import numpy as np
import pytest

from galileomix import Galileo
from galileomix.datasets import make_mixed


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_serious_finding(opened, zoo_report, findings, scheme, width):
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page = opened(zoo_report, **options)
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert findings(page) == "[]"


def test_no_serious_finding_with_numbers(opened, findings):
    table = make_mixed(random_state=0).frame[:300].drop(columns="component")
    table["pay"] = np.where(table.index % 3, 0.0, table.index + 0.5)
    page = opened(Galileo(random_state=0, effort=0.1).fit(table).report(table))
    page.locator("#cards footer button").first.click()
    assert findings(page) == "[]"
