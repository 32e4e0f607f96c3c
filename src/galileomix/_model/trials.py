"""Trials: ways to replace some components of a mixture by others, followed side by side.

All trials are of one mixture. The components that a trial keeps stay as they are, but for a common
factor of their weights; those that it adds are fitted among them. So a record's density under the
mixture is computed once for all trials, and one pass is a step of EM in each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from galileomix._model.families import maximise
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.stats import Background, Stats


@dataclass(frozen=True, eq=False)
class Trials:
    """Which components of a mixture each trial keeps, and the components that it adds."""

    kept: NDArray[np.bool_]  # (t, k)
    trial: Ints  # (c,) the trial that each added component is of, ascending
    added: Mixture  # the added components, with their weights in the mixture of their trial

    def __len__(self) -> int:
        """Return the number of trials."""
        return len(self.kept)

    def n_more(self) -> Ints:
        """Return how many components more each trial has than the mixture, (t,)."""
        return np.bincount(self.trial, minlength=len(self)) - (~self.kept).sum(axis=1)

    def factors(self, mixture: Mixture) -> Floats:
        """Return what each trial multiplies the weights of the mixture by, (t, k)."""
        room = 1.0 - np.bincount(self.trial, self.added.alpha, len(self))
        held = self.kept @ mixture.alpha
        return self.kept * (room / np.maximum(held, np.finfo(float).tiny))[:, None]

    def mixture_of(self, t: int, mixture: Mixture) -> Mixture:
        """Return the mixture of one trial."""
        kept = mixture.take(np.flatnonzero(self.kept[t]))
        added = self.added.take(np.flatnonzero(self.trial == t))
        factor = (1.0 - added.alpha.sum()) / kept.alpha.sum() if kept.k else 1.0
        return kept.weighted(factor * kept.alpha).beside(added)


def refitted(trials: Trials, stats: Stats, background: Background, N: float, s: float) -> Trials:
    """M-step of every trial: its added components from what they were given of the records."""
    added = maximise(stats, background, s).weighted(stats.weight / N)
    return Trials(trials.kept, trials.trial, added)
