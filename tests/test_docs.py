"""The examples in the guide, run as they stand there."""

import doctest
import warnings
from pathlib import Path

GUIDE = Path(__file__).parents[1] / "docs" / "guide.md"


def test_the_guide_says_what_happens():
    with warnings.catch_warnings():
        found = doctest.testfile(
            str(GUIDE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
        )
    assert found.attempted > 20 and found.failed == 0
