"""Nothing that axe-core calls serious or critical, contrast in both modes included."""

import pytest


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_serious_finding(opened, zoo_report, findings, scheme, width):
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page = opened(zoo_report, **options)
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert findings(page) == "[]"
