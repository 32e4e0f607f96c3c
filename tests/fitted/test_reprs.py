"""Results are public by name, and show themselves in a line."""

import re

import pytest

import galileomix
from galileomix import Component, Explanation, Galileo, NumberDistribution, Path, Reason, Stability


@pytest.fixture(scope="module")
def results(small, small_model, mixed_model):
    explanation = small_model.explain(small)
    return {
        Path: small_model.path_,
        Component: small_model.components()[0],
        Explanation: explanation,
        Reason: explanation.reasons(0)[0],
        Stability: Galileo(n_components=1).fit(small).stability(small, n_resamples=2),
        NumberDistribution: mixed_model.conditional("x0"),
    }


def test_results_are_public(results):
    for kind, result in results.items():
        assert type(result) is kind and kind.__name__ in galileomix.__all__


def test_results_are_shown_in_a_line(results):
    for kind, result in results.items():
        shown = repr(result)
        assert shown.startswith(f"{kind.__name__}(") and "\n" not in shown and len(shown) < 200
    del results[Reason]
    patterns = {
        Path: r"Path\(sizes 1 to \d+, criterion='aic', chosen=\d+\)",
        Component: r"Component\(0: [\d.]+ records, [\d.]+%: .+\)",
        Explanation: r"Explanation\(\d+ records, 3 attributes; the most surprising: .+\)",
        Stability: r"Stability\(2 resamples, 1 component, recovered in 100% or more\)",
        NumberDistribution: r"NumberDistribution\(x0: .+ ± .+ \(95 %: .+ to .+\)\)",
    }
    for kind, result in results.items():
        assert re.fullmatch(patterns[kind], repr(result)), repr(result)
