"""What the paper says of the mushrooms: 23 full boxes, one to a species.

The boxes need no search: rows that differ in one value only belong to one box, and no two boxes
come as near as that. So they are the connected parts of that graph.
"""

import math

import numpy as np
import pytest

from building import counted
from galileomix._kernels import cpu
from galileomix._model.categorical import entropies
from galileomix._model.criteria import criterion_of
from galileomix._model.density import density, log_cartesian_density, mean_density
from galileomix._model.em import em
from galileomix._model.families import maximise
from galileomix._model.params import layout_of
from galileomix._passes import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._table import encode, read, summarise
from galileomix.datasets import load_mushroom
from galileomix.metrics import category_utility

pytestmark = pytest.mark.filterwarnings("ignore:column 'veil-type' is constant")

# The paper's table of clusters: edible, then poisonous.
EDIBLE = [96, 512, 96, 768, 1728, 48, 48, 192, 288, 192, 16, 32, 192]
POISONOUS = [256, 192, 32, 1296, 8, 288, 72, 1728, 8, 36]


def boxes_of(codes):
    """Return the number of each row's box."""
    root = np.arange(len(codes))

    def find(a):
        while root[a] != a:
            root[a] = root[root[a]]
            a = root[a]
        return a

    for m in range(codes.shape[1]):
        first = {}
        for a, row in enumerate(np.delete(codes, m, axis=1)):
            root[find(a)] = find(first.setdefault(row.tobytes(), a))
    return np.unique([find(a) for a in range(len(codes))], return_inverse=True)[1]


@pytest.fixture(scope="module")
def mushroom():
    """The records, the box of each, and the mixture of the boxes."""
    columns = read(load_mushroom().data)
    schema = summarise(columns).schema()
    [block] = encode(columns, schema)
    layout = layout_of(schema)
    records = BlockRecords(LocalEngine([block]), cpu, layout)
    labels = boxes_of(block.codes)
    stats = counted(block, layout, np.eye(labels.max() + 1)[labels])
    return records, labels, maximise(stats, records.background)


def test_the_boxes_are_the_paper_s_clusters(mushroom):
    _, labels, _ = mushroom
    edibility = load_mushroom().target.astype(str).to_numpy()
    sizes = {name: [] for name in np.unique(edibility)}
    for i in range(labels.max() + 1):
        [name] = set(edibility[labels == i])  # no cluster mixes the edible and the poisonous
        sizes[name].append(int((labels == i).sum()))
    assert sorted(map(sorted, sizes.values())) == sorted([sorted(EDIBLE), sorted(POISONOUS)])


def test_every_box_is_full(mushroom):
    records, _, mixture = mushroom
    assert mixture.k == 23
    assert density(mixture, records.N) == pytest.approx(1)
    assert np.exp(log_cartesian_density(mixture, records.N)) == pytest.approx(1)
    assert mean_density(mixture, records.N) == pytest.approx(1)


def test_the_row_of_the_paper_s_summary(mushroom):
    _, labels, mixture = mushroom
    mean_entropy = mixture.alpha @ entropies(mixture).mean(axis=0)
    assert mean_entropy == pytest.approx(0.2893, abs=5e-5)
    # The paper cuts the fifth digit off: 0.32667 is its 0.3266.
    assert category_utility(load_mushroom().data, labels) == pytest.approx(0.3266, abs=1e-4)


def test_no_mixture_can_be_likelier_than_the_boxes(mushroom):
    """Rows are distinct, so log L <= -N log N; disjoint full boxes reach it."""
    records, _, mixture = mushroom
    fit = em(records, mixture)
    assert fit.log_likelihood == pytest.approx(-records.N * math.log(records.N), rel=1e-12)
    assert fit.log_likelihood == pytest.approx(-73136.943, abs=1e-3)
    assert fit.k == 23
    assert fit.converged


def test_the_boxes_stay_under_em(mushroom):
    records, _, mixture = mushroom
    again = maximise(records.expect(mixture), records.background)
    assert again.p == pytest.approx(mixture.p, abs=1e-12)
    assert again.alpha == pytest.approx(mixture.alpha)


def test_aic_can_have_no_minimum_at_or_above_the_boxes(mushroom):
    """The best AIC known is 150731.141 at k = 22: less than any k >= 23 can have."""
    records, _, mixture = mushroom
    assert criterion_of("aic", records.N).loss(em(records, mixture)) > 150731.141
