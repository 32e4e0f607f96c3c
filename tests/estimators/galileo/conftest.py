"""A table of many rows, which every cluster is to fit as it is fitted here."""

import pytest

from galileomix.datasets import make_rules
from quick_fits import quick


@pytest.fixture(scope="session")
def many():
    """More rows than are brought here."""
    return make_rules(70_000, random_state=1).data.astype(str)


@pytest.fixture(scope="session")
def in_many(many):
    """What is found in them here."""
    return quick(n_jobs=2).fit(many)
