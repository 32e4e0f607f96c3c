"""Models like a fitted one, as other rows of the same kind would have led to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.predictive import GROWN_STRENGTH
from galileomix._fitted.resample import counted_rows, drawn
from galileomix._kernels import KERNEL
from galileomix._model.em import Stop, em
from galileomix._model.params import Mixture
from galileomix._passes.local import LocalEngine
from galileomix._passes.records import BlockRecords
from galileomix._table import Block, in_blocks

STOP = Stop(tol=1e-6, max_iter=100)


def redrawn(
    model: FittedModel, blocks: Sequence[Block], rng: np.random.Generator
) -> Iterator[FittedModel]:
    """Yield models whose mixtures are fitted to rows that are drawn with replacement, without end.

    The sizes that predict and their weights stay; EM goes on from the mixtures there are.
    """
    weights = np.concatenate([block.weights for block in blocks])
    while True:
        rows = list(in_blocks(counted_rows(blocks, drawn(weights, rng))))
        layout = model.mixture.layout
        records = BlockRecords(LocalEngine(rows, None), KERNEL, layout, GROWN_STRENGTH)

        def refitted(mixture: Mixture, records: BlockRecords = records) -> Mixture:
            return em(records, mixture, GROWN_STRENGTH, STOP).mixture

        predictive, sizes = model.predictive, {model.k}
        if predictive is not None:
            beyond = {k: refitted(mixture) for k, mixture in predictive.beyond.items()}
            sizes |= predictive.shares.keys() - beyond.keys()
            predictive = replace(predictive, beyond=beyond)
        mixtures = {k: refitted(model.mixtures[k]) for k in sorted(sizes)}
        yield replace(model, mixtures={**model.mixtures, **mixtures}, predictive=predictive)
