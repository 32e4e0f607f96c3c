"""Candidates fitted with a prior, and the rivals they are measured by."""

import numpy as np
import pytest

from building import table_of
from galileomix._kernels import cpu
from galileomix._model import with_prior
from galileomix._model.criteria import criterion_of
from galileomix._model.em import em
from galileomix._model.start import around
from galileomix._model.with_prior import PRIOR_STOP, WithPrior
from galileomix.datasets import make_rules

TRUE_K = 5


@pytest.fixture(scope="module")
def records():
    made = make_rules(
        400, n_rules=TRUE_K, n_attributes=8, n_values=6, values_per_rule=2, random_state=1
    )
    return table_of(made.data.to_numpy()).records(cpu)


def fitted(records, k, seed):
    centers = records.draw(k, np.random.default_rng(seed))
    return em(records, around(centers, records.layout, records.background))


@pytest.fixture(scope="module")
def best(records):
    return max((fitted(records, TRUE_K, s) for s in range(20)), key=lambda fit: fit.log_likelihood)


def criterion(records, name="bic"):
    return criterion_of(name, records.N)


def test_a_rival_is_fitted_once(records, best):
    prior = WithPrior(records, criterion(records))
    first = prior.of(best, 2.0)
    before = records.passes
    assert prior.of(best, 2.0) is first
    assert records.passes == before
    assert prior.of(best, 0.5) is not first
    assert first.log_likelihood < best.log_likelihood


def test_the_rival_itself_is_not_far_behind(records, best):
    prior = WithPrior(records, criterion(records))
    followed = prior.follow(best.stats, 2.0, best)
    assert followed is not None
    assert prior.behind(followed, 2.0, best) < 1.0
    assert followed.log_likelihood == pytest.approx(prior.of(best, 2.0).log_likelihood, rel=1e-6)


def test_what_is_far_behind_is_left_soon(records, best):
    prior = WithPrior(records, criterion(records))
    prior.of(best, 2.0)
    before = records.passes
    assert prior.follow(records.everything, 2.0, best) is None
    assert records.passes - before <= with_prior.FIRST_STOP.max_iter + 1


@pytest.mark.parametrize(("name", "has_rival"), [("bic", False), ("density", True)])
def test_without_a_rival_or_by_density_nothing_is_left(records, best, name, has_rival):
    prior = WithPrior(records, criterion(records, name))
    followed = prior.follow(records.everything, 2.0, best if has_rival else None)
    alone = em(records, records.everything, 2.0, PRIOR_STOP)
    assert followed is not None
    assert followed.objective == alone.objective
