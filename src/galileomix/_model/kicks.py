"""Kicks: replace a few components of the best model by others, and see whether EM ends better.

A kick drops some components, puts others around records drawn at random, and runs EM: for a moment
with a prior, strong, weak or none in turn, and then without. What stays far behind is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._model.champions import Champions
from galileomix._model.criteria import parameters_each
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.grow import Limits, parted
from galileomix._model.merge import join, merge_costs, merges
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.recall import Others
from galileomix._model.split import splits
from galileomix._model.start import Centers, around
from galileomix._model.stats import Stats
from galileomix._model.with_prior import FIRST_STOP, WithPrior

STRENGTHS = (1.0, 0.3, 0.0)
"""Of the prior that a kick begins with, in turn. A strong one sees the large structure, a weak one
the small; models that differ in rare values alone are one with a prior, and several without."""
FREE_STOP = Stop(tol=1e-6, max_iter=100)
"""When EM without a prior stops for a first look."""
MOST_DROPPED = 3
SAME_SIZE = 0.7
"""How often a kick adds as many components as it drops; else it is one more or one fewer."""
FAR, NEAR = 1.0, 0.5
"""How much less likely a model may be to be followed, and to be kicked too, in nats for each
parameter of a component."""
IN_TURN = 32
"""How often in a row the best model is kicked, and one that is nearly as good in turn with it."""
MOVES = 8
"""Splits and merges of a new best model that are tried before random kicks."""
POOL, POOL_LASTS = 512, 128
"""Records that are drawn at a time, and the kicks that they last for."""
MEANT, MEANT_SHARE = 0.1, 1e-6
"""A smaller gain, or share of the value, is no better answer: models that close describe the
records equally well."""
MANY_MORE = 2.0
"""How many times as many other models are nearly as good, as kicks return to the best, where such
models are many."""
ODDS, BY_SUCCESSES, BY_SIZE, USUAL_PATIENCE = 0.0141, 1.08, 0.87, 200
"""The odds that there is a better model, by how often kicks found one and by the components."""


@dataclass
class Tally:
    """What kicks have brought so far."""

    kicks: int = 0
    returned: int = 0  # kicks that ended at the best model again, since it was found
    elsewhere: int = 0  # other models that are nearly as good, at which kicks ended
    successes: int = 0  # kicks that found a better one
    last_success: int = 0  # the kick that last found a better one
    last_gain: float = 0.0  # what it gained, by the criterion
    patience: int = 0  # the kicks in vain that were asked for

    @property
    def in_vain(self) -> int:
        """The kicks since the last success."""
        return self.kicks - self.last_success

    @property
    def is_rough(self) -> bool:
        """Whether models are many that are nearly as good as the best."""
        return self.elsewhere > MANY_MORE * self.returned

    def chance_of_better(self, k: int) -> float | None:
        """Return the estimated chance that there is a better model than the best, of k components.

        None where there were no kicks. It is the share of tables on which a much longer search
        found one, by a logistic regression on the even half of the benchmark of the search.

        >>> few, many = Tally(kicks=200, patience=200), Tally(900, successes=20, patience=200)
        >>> round(few.chance_of_better(3), 3), round(many.chance_of_better(20), 2)
        (0.035, 0.84)
        """
        if not self.patience:
            return None
        odds = self.odds_of_better(k) * USUAL_PATIENCE / self.patience
        return odds / (1.0 + odds)

    def odds_of_better(self, k: int) -> float:
        """Return the odds that there is a better model, were patience the usual one."""
        return ODDS * (1 + self.successes) ** BY_SUCCESSES * k**BY_SIZE


class Kicks:
    """Kicks at the best of some champions, one at a time."""

    def __init__(
        self,
        records: Records,
        champions: Champions,
        limits: Limits,
        stop: Stop,
        rng: np.random.Generator,
    ) -> None:
        self._records, self.champions = records, champions
        self._limits, self._stop = limits, stop
        self._rng = rng
        self._pool: Centers | None = None
        self._read_of: Fit | None = None  # the best model whose counts were asked for moves
        self._moves: list[Stats] = []  # that its counts suggest, still to be tried
        self._near_of: Fit | None = None  # the model of which it is known what is close together
        self._near = np.empty((0, 0), np.intp)
        self._elsewhere: tuple[Fit, Fit] | None = None  # the best, and a model nearly as good
        self._others, self._with_prior = Others(), WithPrior(records, champions.criterion)
        self._mark = self._loss()
        self.tally = Tally()

    def kick(self) -> None:
        """Kick once; what ends best of its size becomes a champion."""
        self._note_better()  # refinement may have found it since the last kick
        best, base = self.champions.best(), self._base()
        if self._read_of is not best:
            self._read_of, self._moves = best, self._read(best)
        strength = STRENGTHS[self.tally.kicks % len(STRENGTHS)]
        if self._moves:
            base, start = best, self._moves.pop(0)
        else:
            start = self._kicked(base)
        self.tally.kicks += 1
        fit = self._followed(start, base, strength)
        if fit is not None:
            self._judge(fit, best)

    def _base(self) -> Fit:
        """Return the best model or, in turn with it, one that is nearly as good."""
        best = self.champions.best()
        if self._elsewhere is None or self._elsewhere[0] is not best:
            return best
        return self._elsewhere[1] if self.tally.kicks // IN_TURN % 2 else best

    def _read(self, best: Fit) -> list[Stats]:
        """Return the splits and merges of the best forecast."""
        records, criterion = self._records, self.champions.criterion
        if self._limits.wanted is not None:
            return []
        price = criterion.price(best.mixture.layout)
        moves: list[tuple[float, Stats]] = []
        if best.k < self._limits.most:
            for split in splits(records, best, criterion)[:MOVES]:
                moves.append((split.gain - price, parted(best.stats, [split])))
        for merge in merges(records, best, criterion, MOVES):
            moves.append((price - merge.cost, join(best.stats, merge)))
        return [stats for _, stats in sorted(moves, key=lambda move: -move[0])[:MOVES]]

    def _kicked(self, fit: Fit) -> Mixture:
        """Return a model without some components, and with others around records.

        Every other kick drops what is close together, and the records are of these clusters.
        """
        rng, k = self._rng, fit.k
        n_dropped = int(rng.integers(1, min(MOST_DROPPED, k) + 1))
        if self._pool is None or self.tally.kicks % POOL_LASTS == 0:
            self._pool = self._records.draw(POOL, rng)
        if self.tally.kicks % 2:
            dropped, candidates = self._together(fit, n_dropped, self._pool)
        else:
            dropped, candidates = rng.choice(k, n_dropped, replace=False), np.arange(POOL)
        chosen = rng.choice(candidates, self._n_added(n_dropped, k))
        at_records = self._pool[0][chosen], self._pool[1][chosen]
        added = around(at_records, fit.mixture.layout, self._records.background)
        if n_dropped == k:
            return added
        held = fit.mixture.take(np.delete(np.arange(k), dropped))
        share = added.k / (held.k + added.k)
        held = held.weighted(held.alpha * (1.0 - share) / held.alpha.sum())
        return held.beside(added.weighted(share * added.alpha))

    def _together(self, fit: Fit, n_dropped: int, pool: Centers) -> tuple[Ints, Ints]:
        """Return components that are cheap to join with one, and records of theirs and the next."""
        if self._near_of is not fit:
            costs = merge_costs(self._records, fit, self.champions.criterion)
            self._near_of, self._near = fit, _nearest(costs)
        near = self._near[self._rng.integers(fit.k)]
        label = self._records.label(pool, fit.mixture)
        theirs = np.flatnonzero(np.isin(label, near[: n_dropped + 1]))
        return near[:n_dropped], theirs if len(theirs) else np.arange(POOL)

    def _n_added(self, n_dropped: int, k: int) -> int:
        """Return as many as are dropped or, at times, one more or one fewer, within the limits."""
        if self._limits.wanted is not None or self._rng.random() < SAME_SIZE:
            return n_dropped
        more = int(self._rng.choice((-1, 1)))
        return max(1, min(n_dropped + more, self._limits.most - k + n_dropped))

    def _followed(self, start: Stats | Mixture, base: Fit, strength: float) -> Fit | None:
        """Return where EM ends, or None if it is far behind the model that was kicked.

        To the last digit only where it may become the champion of its size.
        """
        records, champions = self._records, self.champions
        loss, far = champions.criterion.loss, self._within(FAR)
        rough = em(records, start, strength, FIRST_STOP)
        if loss(rough) - loss(self._with_prior.of(base, strength)) > far:
            return None
        fit = em(records, rough.stats, 0.0, FREE_STOP)
        if self._limits.wanted is not None and fit.k > self._limits.wanted:
            return None
        if loss(fit) - self._loss() > far or champions.nearly_has(fit):
            return fit
        return em(records, fit.stats, 0.0, self._stop, champions.target(fit.k))

    def _within(self, nats: float) -> float:
        """Return what so many nats for each parameter of a component are, by the criterion."""
        return 2.0 * nats * parameters_each(self._records.everything.layout)

    def _judge(self, fit: Fit, best: Fit) -> None:
        """Offer a model to the champions, and note what it is beside the best one."""
        champions = self.champions
        loss, mark = champions.criterion.loss, self._mark
        same = fit.k == best.k and champions.nearly_has(fit)
        champions.offer(fit)
        behind = loss(fit) - loss(best)
        if champions.best() is not best:
            if fit.k == best.k and not (fit.converged or best.converged):
                self._mark = self._loss()  # EM creeps, and the kick only went on with it
            elif self._note_better():
                self.tally.successes += 1
                self.tally.last_gain = mark - self._mark
        elif same or (fit.k == best.k and abs(behind) < MEANT / 2):
            self.tally.returned += 1
        elif behind < self._within(NEAR):
            self.tally.elsewhere += self._others.is_new(fit)
            self._elsewhere = best, fit

    def _note_better(self) -> bool:
        """Whether the best model is better than that of the last success; if so, count anew."""
        loss = self._loss()
        if self._mark - loss <= max(MEANT, MEANT_SHARE * abs(loss)):
            return False
        self.tally.last_success = self.tally.kicks
        self.tally.returned = self.tally.elsewhere = 0
        self._others = Others()
        self._mark = loss
        return True

    def _loss(self) -> float:
        return self.champions.criterion.loss(self.champions.best())


def _nearest(cost: Floats) -> Ints:
    """Return for each component all, itself first, by what it costs to join them."""
    cost = cost.copy()
    np.fill_diagonal(cost, -np.inf)
    return np.argsort(cost, axis=1, kind="stable")
