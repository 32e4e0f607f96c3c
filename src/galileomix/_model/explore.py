"""Exploration: kick each of several models for a while, and go on with the one that is best then.

Growth ends at another model with another prior, and the better of the two is not always the one
from which kicks lead further.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from galileomix._model.champions import Champions
from galileomix._model.em import Fit, Records, Stop
from galileomix._model.grow import Limits
from galileomix._model.kicks import Kicks
from galileomix._model.outlook import kicks_needed


class Exploration:
    """Kicks at models that know nothing of each other, one model after the other."""

    def __init__(
        self, records: Records, champions: Champions, models: Sequence[Fit], patience: int
    ) -> None:
        self._records, self._champions = records, champions
        self._ahead = list(models)
        self._patience = patience
        self._kicks: list[Kicks] = []  # at each model so far

    def kick(self, limits: Limits, stop: Stop, rng: np.random.Generator) -> bool:
        """Kick the model that is next once; whether there was one.

        What is found is offered to the champions.
        """
        if not self._kicks or self._is_enough(self._kicks[-1]):
            if not self._ahead:
                return False
            alone = self._alone(self._ahead.pop(0))
            self._kicks.append(Kicks(self._records, alone, limits, stop, rng))
        self._kicks[-1].kick()
        self._champions.offer(self._kicks[-1].champions.best())
        return True

    @property
    def now(self) -> Kicks:
        """The kicks at the model that is kicked now."""
        return self._kicks[-1]

    @property
    def n_others(self) -> int:
        """The kicks at the models before it."""
        return sum(kicks.tally.kicks for kicks in self._kicks[:-1])

    @property
    def n_ahead(self) -> int:
        """The least number of kicks at the models after it."""
        return len(self._ahead) * self._patience

    def farthest(self) -> Kicks:
        """Return the kicks that have led to the best model, with the other sizes of all."""
        loss = self._champions.criterion.loss
        kicks = min(self._kicks, key=lambda kicks: loss(kicks.champions.best()))
        for fit in self._champions.fits():
            kicks.champions.offer(fit)
        return kicks

    def _alone(self, model: Fit) -> Champions:
        alone = self._champions.anew()
        alone.offer(self._champions.by_size[1])
        alone.offer(model)
        return alone

    def _is_enough(self, kicks: Kicks) -> bool:
        needed = kicks_needed(kicks.tally, kicks.champions.best().k, self._patience)
        return kicks.tally.in_vain >= needed
