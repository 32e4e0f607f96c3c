"""Labels of the rows that were fitted, and the order of components."""

from functools import partial

import numpy as np

from galileomix import Galileo
from galileomix._fitted.fit import labelled
from galileomix._table import Block, Prepared, encode, read


def test_rows_of_no_weight_have_labels_and_no_say_in_the_order_of_components():
    rows = [["b", "y"]] * 60 + [["a", "x"]] * 40
    model = Galileo(random_state=0, effort=0.01).fit(rows)._model
    assert model.k == 2
    [block] = encode(read(rows), model.schema)
    weights = np.repeat([0.0, 1.0], [60, 40])
    every = Block(block.codes, block.numbers, weights)
    table = Prepared(model.schema, [every.rows(weights > 0)], partial(iter, [every]), False)
    found = labelled(model, table)
    assert found.labels is not None
    assert found.labels.tolist() == [1] * 60 + [0] * 40
    assert found.model.mixture.alpha.tolist() == model.mixture.alpha[::-1].tolist()
