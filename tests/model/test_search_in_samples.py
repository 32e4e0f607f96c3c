"""The search of tables with many rows: in samples first, then in all of them."""

from functools import partial

import numpy as np
import pytest

from building import table_of
from galileomix._kernels import cpu
from galileomix._model import fill, search_steps
from galileomix._model import search as searching
from galileomix._model.criteria import best, criterion_of
from galileomix._model.em import Stop, em
from galileomix._model.search import Settings, Stopped, robust_search

K, M, L = 5, 8, 6


def noisy(n, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(K, size=n)
    rows = rng.integers(L, size=(K, M))[truth]
    return np.where(rng.random((n, M)) < 0.1, rng.integers(L, size=(n, M)), rows)


@pytest.fixture(scope="module")
def records():
    return table_of(noisy(2400), (L,) * M).records(cpu)


@pytest.fixture(autouse=True)
def small_samples(monkeypatch):
    monkeypatch.setattr(searching, "SAMPLES", (200, 600))


def start_of(records):
    return em(records, records.everything).mixture


def settings_of(records, criterion="bic", **changes):
    chosen = criterion_of(criterion, records.N)
    limit = chosen.most_components(records.n_rows)
    options = {"k_max": None, "limit": limit, "effort": 0.01, **changes}
    return Settings(chosen, beta=1.0, pruning="entropy", prior_strength=4.0, stop=Stop(), **options)


def search(records, criterion="bic", seed=0, notify=lambda fit: None, **changes):
    settings = settings_of(records, criterion, **changes)
    rng = np.random.default_rng(seed)
    found = robust_search(records, settings, rng, notify, lambda: None)
    return found, best(found.fits, settings.criterion)


@pytest.mark.parametrize("criterion", ["bic", "aic"])
def test_what_is_found_is_what_all_rows_say(records, criterion, monkeypatch):
    _, chosen = search(records, criterion)
    monkeypatch.setattr(searching, "SAMPLES", ())
    _, alone = search(records, criterion)
    assert chosen.k == alone.k
    assert chosen.log_likelihood == pytest.approx(alone.log_likelihood, rel=1e-7)
    assert chosen.stats.weight.sum() == pytest.approx(records.N)
    assert chosen.converged


def test_every_size_is_there_and_one_beyond(records):
    found, chosen = search(records)
    sizes = [fit.k for fit in found.fits]
    assert sizes == list(range(1, len(sizes) + 1))
    assert max(sizes) > chosen.k == K
    values = [fit.log_likelihood for fit in found.fits]
    assert np.isfinite(values).all()
    assert np.all(np.diff(values) >= 0)


def test_passes_over_a_sample_count_by_its_share(records):
    sample, mixture = records.sample(600), start_of(records)
    before = records.passes
    sample.expect(mixture)
    assert records.passes - before == pytest.approx(sample.n_rows / records.n_rows)
    assert pytest.approx(600, rel=0.2) == sample.N
    assert sample.n_rows < sample.N  # equal rows are one


def test_where_rows_are_many_there_are_few_passes_over_all_of_them(records, monkeypatch):
    monkeypatch.setattr(search_steps, "FREE_ROWS", 200)  # so that there are no kicks beyond
    before = records.passes
    _, chosen = search(records, effort=1.0)
    assert chosen.k == K
    assert records.passes - before < 150


def test_sizes_of_a_sample_are_asked_together(records, monkeypatch):
    asked, expect_each = [], type(records).expect_each

    def noted(self, mixtures):
        asked.append([mixture.k for mixture in mixtures])
        return expect_each(self, mixtures)

    monkeypatch.setattr(type(records), "expect_each", noted)
    monkeypatch.setattr(fill, "AT_ONCE", 8)
    found, chosen = search(records)
    assert asked[0] == asked[1]  # two steps
    assert all(sum(sizes) <= 8 or len(sizes) == 1 for sizes in asked)
    carried = {k for sizes in asked for k in sizes}
    assert carried > set(range(2, chosen.k))
    assert carried <= {fit.k for fit in found.fits}


def test_by_density_sizes_are_carried(records):
    _, chosen = search(records, "density", k_max=8)
    assert chosen.k >= K - 1
    assert np.isfinite(chosen.log_likelihood)


def test_a_number_that_is_given(records):
    found, _ = search(records, wanted=3)
    assert 3 in [fit.k for fit in found.fits]


@pytest.mark.parametrize(("wanted", "sizes"), [(10, [200, 600]), (30, [600]), (31, [])])
def test_a_sample_has_room_for_what_is_wanted(records, wanted, sizes):
    assert searching._sample_sizes(records, settings_of(records, wanted=wanted)) == sizes


def test_progress_is_that_of_all_rows(records):
    met = []
    _, chosen = search(records, notify=met.append)
    N = [fit.stats.weight.sum() for fit in met]
    assert pytest.approx([records.N] * len(N), rel=1e-9) == N
    assert met[-1].k == chosen.k


@pytest.mark.parametrize("passes", [1, 5, 40, 150])
def test_what_a_sample_found_is_kept_where_the_search_ends_there(records, passes):
    left = passes

    def check():
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped

    settings = settings_of(records)
    rng = np.random.default_rng(0)
    found = robust_search(records, settings, rng, lambda fit: None, check)
    chosen = best(found.fits, settings.criterion)
    assert np.isfinite(chosen.log_likelihood)
    assert chosen.stats.weight.sum() == pytest.approx(records.N)
    assert (chosen.k > 1) == (passes >= 40)


def test_values_that_no_sample_holds(monkeypatch):
    rows = noisy(2400)
    rows[::601, 0] = L  # four records of 2400
    records = table_of(rows, (L + 1, *(L,) * (M - 1))).records(cpu)
    found, chosen = search(records)
    assert chosen.k == K
    assert np.isfinite([fit.log_likelihood for fit in found.fits]).all()


def test_the_seed_does_not_choose_the_sample(records):
    find = partial(search, records)
    values = [find(seed=seed)[1].log_likelihood for seed in (0, 1)]
    assert values == pytest.approx([values[0]] * 2, rel=1e-9)
