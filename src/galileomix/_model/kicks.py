"""Kicks: replace a few components of the best model by others, and see whether EM ends better.

Kicks are tried in rounds. All kicks of a round are followed together for a few steps, in which only
what they add is fitted (see `trials`). Then each is fitted whole, with a prior; what ends where the
best model with the same prior is has returned to it, and what stays far behind is left. The rest is
fitted without the prior and offered to the champions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from galileomix._model.champions import Champions
from galileomix._model.criteria import Criterion, parameters_each
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.families import maximise
from galileomix._model.grow import Limits
from galileomix._model.merge import merge_costs, merges
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._model.recall import Met
from galileomix._model.split import splits
from galileomix._model.start import Centers, around
from galileomix._model.stats import Stats
from galileomix._model.trials import Trials, refitted
from galileomix._model.with_prior import STRENGTHS, WithPrior

STEPS = 8
"""Steps of EM in which only what a kick adds is fitted."""
KICKS, FEWEST_KICKS = 16, 2
"""Kicks in one round; fewer where components take much room."""
ROOM = 4_000_000
"""Sums that are held at once."""
MOST_DROPPED = 3
ADDED_SHARE = 0.9
"""The weight that is added, as a share of what is dropped: what is kept takes its part too."""
RETURNED = 0.01
"""How near counts as the same optimum, in what the prior costs the best itself."""
INFORMED_FINISHED = 8
"""Of the kicks that counts suggest so many are fitted whole, of random ones all: what fares badly
among components that stay as they are is as often what wins in the end."""
NEAR, ROUNDS_EACH = 0.5, 2
"""A model that is less likely by no more than this for each parameter of a component is kicked too,
in turn with the best one."""
POOL, POOL_ROUNDS = 512, 8
"""Records that are drawn at a time, and the rounds that they last for."""
MEANT, MEANT_SHARE = 0.1, 1e-6
"""A smaller gain, or share of the value, is no better answer: models that close describe the
records equally well."""
MANY_MORE = 2.0
"""How many times as many kicks end at models nearly as good as return to the best where such models
are many."""
ODDS, BY_SUCCESSES, BY_SIZE, USUAL_PATIENCE = 0.0141, 1.08, 0.87, 200
"""The odds that there is a better model, by how often kicks found one and by the components."""


@dataclass
class Tally:
    """What kicks have brought so far."""

    kicks: int = 0
    returned: int = 0  # kicks that ended at the best model again, since it was found
    elsewhere: int = 0  # kicks that ended at another one that is nearly as good
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
    """Rounds of kicks at the best of some champions."""

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
        self._rounds = 0
        self._pool: Centers | None = None
        self._informed_of: Fit | None = None  # the best model whose counts were asked for moves
        self._elsewhere: Fit | None = None  # a model nearly as good
        self._met, self._with_prior = Met(), WithPrior(records, champions.criterion)
        self._mark = self._loss()
        self.tally = Tally()

    def round(self) -> None:
        """Try one round; go on with the first kick that finds a better model."""
        strength = STRENGTHS[self._rounds % len(STRENGTHS)]
        best = self.champions.best()
        self._note_better()  # refinement may have found it since the last round
        base, trials, n_finished = self._trials(best)
        self._rounds += 1
        trials, value = self._followed(base, trials, strength)
        ends: list[Fit | None] = []
        for rank, t in enumerate(np.argsort(-value, kind="stable")):
            self.tally.kicks += 1
            if rank < n_finished:
                mixture = trials.mixture_of(int(t), base.mixture)
                ends.append(self._finish(mixture, best, strength))
            if self.champions.best() is not best:
                self._note_success(best)
                return
        near = [end for end in ends if end is not None]
        if near:
            self._elsewhere = min(near, key=self.champions.criterion.loss)

    def _note_success(self, before: Fit) -> None:
        """Count a kick that found a better model, and not one by which EM only went on."""
        after = self.champions.best()
        if after.k == before.k and not (before.converged or after.converged):
            self._mark = self._loss()
            return
        gain = self._mark - self._loss()
        if self._note_better():
            self.tally.successes += 1
            self.tally.last_gain = gain

    def _note_better(self) -> bool:
        """Whether the best model is better than that of the last success; if so, count anew."""
        loss = self._loss()
        if self._mark - loss <= max(MEANT, MEANT_SHARE * abs(loss)):
            return False
        self.tally.last_success = self.tally.kicks
        self.tally.returned = self.tally.elsewhere = 0
        self._mark = loss
        return True

    def _loss(self) -> float:
        return self.champions.criterion.loss(self.champions.best())

    def _trials(self, best: Fit) -> tuple[Fit, Trials, int]:
        """Return the model to kick, the kicks, and how many of them to fit whole.

        The moves that the counts of a new best model suggest; then random kicks at it, or at
        another model that is nearly as good.
        """
        most = max(FEWEST_KICKS, min(KICKS, ROOM // (2 * best.mixture.layout.n_sums)))
        if self._informed_of is not best:
            self._informed_of, self._elsewhere = best, None
            found = self._informed(best, most)
            if found is not None:
                return best, found, INFORMED_FINISHED
        elsewhere = self._rounds % (2 * ROUNDS_EACH) >= ROUNDS_EACH
        base = (self._elsewhere if elsewhere else None) or best
        return base, self._random(base, most), most

    def _informed(self, best: Fit, most: int) -> Trials | None:
        """Return the splits and merges of the best forecast, if there are any."""
        criterion, stats = self.champions.criterion, best.stats
        price = criterion.price(best.mixture.layout)
        moves: list[tuple[float, list[int], Stats]] = []
        if best.k < self._limits.most and self._limits.wanted is None:
            for split in splits(self._records, best, criterion)[:most]:
                moves.append((split.gain - price, [split.parent], split.halves))
        if self._limits.wanted is None:
            for merge in merges(self._records, best, criterion, most):
                pair = [merge.first, merge.second]
                moves.append((price - merge.cost, pair, stats.take(pair).merged()))
        if not moves:
            return None
        moves = sorted(moves, key=lambda move: -move[0])[:most]
        kept = np.ones((len(moves), best.k), dtype=bool)
        for t, (_, dropped, _) in enumerate(moves):
            kept[t, dropped] = False
        trial = np.repeat(np.arange(len(moves)), [added.k for _, _, added in moves])
        sums = np.concatenate([added.sums for _, _, added in moves], axis=1)
        together = Stats(stats.layout, sums, 0.0)
        added = maximise(together, self._records.background, STRENGTHS[0])
        return Trials(kept, trial, added.weighted(together.weight / criterion.N))

    def _random(self, best: Fit, most: int) -> Trials:
        """Return kicks that drop one to three components and add about as many around records.

        In half of them what is dropped is close together, and the records are of these clusters.
        """
        centers, label = self._drawn(best)
        near = _nearest(merge_costs(self._records, best, self.champions.criterion))
        kept = np.ones((most, best.k), dtype=bool)
        chosen: list[Ints] = []
        alpha: list[Floats] = []
        for t in range(most):
            dropped, candidates = self._dropped(near, label, together=t % 2 == 1)
            kept[t, dropped] = False
            n_added = self._n_added(len(dropped), best.k)
            chosen.append(self._rng.choice(candidates, n_added))
            share = ADDED_SHARE * max(float(best.mixture.alpha[dropped].sum()), 0.5 / best.k)
            alpha.append(np.full(n_added, share / n_added))
        every = np.concatenate(chosen)
        at_records = (centers[0][every], centers[1][every])
        added = around(at_records, best.mixture.layout, self._records.background)
        trial = np.repeat(np.arange(most), [len(one) for one in chosen])
        return Trials(kept, trial, added.weighted(np.concatenate(alpha)))

    def _dropped(self, near: Ints, label: Ints, together: bool) -> tuple[Ints, Ints]:
        """Return the components that a kick drops, and the records that it may add some around."""
        k = len(near)
        n_dropped = int(self._rng.integers(1, min(MOST_DROPPED, k) + 1))
        every = np.arange(len(label))
        if not together:
            return self._rng.choice(k, n_dropped, replace=False), every
        neighbours = near[self._rng.integers(k)]
        theirs = np.flatnonzero(np.isin(label, neighbours[: n_dropped + 1]))
        return neighbours[:n_dropped], theirs if len(theirs) else every

    def _n_added(self, n_dropped: int, k: int) -> int:
        """Return as many as are dropped, one more or one fewer, within the limits."""
        if self._limits.wanted is not None:
            return n_dropped
        more = int(self._rng.integers(-1, 2))
        return max(1, min(n_dropped + more, self._limits.most - k + n_dropped))

    def _drawn(self, best: Fit) -> tuple[Centers, Ints]:
        """Return some records, and the component that each is most probably of."""
        if self._pool is None or self._rounds % POOL_ROUNDS == 0:
            self._pool = self._records.draw(POOL, self._rng)
        return self._pool, self._records.label(self._pool, best.mixture)

    def _followed(self, best: Fit, trials: Trials, strength: float) -> tuple[Trials, Floats]:
        """Return the trials after some steps of EM, and what each promises."""
        records, criterion = self._records, self.champions.criterion
        gains = np.zeros(len(trials))
        for _ in range(STEPS):
            found = records.expect_trials(best.mixture, trials)
            trials.added.cache.clear()
            gains = found.gains
            trials = refitted(trials, found.stats, records.background, criterion.N, strength)
        best.mixture.cache.clear()
        return trials, gains - criterion.price(best.mixture.layout) * trials.n_more()

    def _finish(self, mixture: Mixture, best: Fit, strength: float) -> Fit | None:
        """Fit the mixture of a trial whole, with the prior and, if that is promising, without.

        Return where it ended, if that is another model nearly as good as the best.
        """
        rough = self._with_prior.follow(mixture, strength, best)
        if rough is None:
            return None
        if self._has_returned(rough, best, strength):
            self.tally.returned += 1
            return None
        return self._offered(rough, best) if self._met.is_new(rough, strength) else None

    def _offered(self, rough: Fit, best: Fit) -> Fit | None:
        """Fit a candidate without the prior and offer it to the champions.

        To the last digit only where it may become the champion of its size.
        """
        criterion, wanted = self.champions.criterion, self._limits.wanted
        near = NEAR * parameters_each(best.mixture.layout)
        target = _equal_objective(best, rough.k, criterion) - near
        fit = em(self._records, rough.stats, 0.0, self._stop.light, target)
        if fit.given_up or (wanted is not None and fit.k > wanted):
            return None
        if self.champions.nearly_has(fit):
            self.tally.returned += fit.k == best.k
            return None
        fit = em(self._records, fit.stats, 0.0, self._stop, self.champions.target(fit.k))
        self.champions.offer(fit)
        behind = criterion.loss(fit) - criterion.loss(best)
        if fit.k == best.k and abs(behind) < MEANT / 2:
            self.tally.returned += 1
        elif behind < 2.0 * near:
            self.tally.elsewhere += 1
            return fit
        return None

    def _has_returned(self, rough: Fit, best: Fit, strength: float) -> bool:
        """Whether a fit with the prior is where the best model is with the same prior."""
        loss, with_prior = self.champions.criterion.loss, self._with_prior.of(best, strength)
        same = RETURNED * abs(loss(with_prior) - loss(best)) + MEANT / 2
        return rough.k == best.k and abs(loss(rough) - loss(with_prior)) < same


def _equal_objective(best: Fit, k: int, criterion: Criterion) -> float:
    """Return the objective that k components need to be as good as the best model.

    What there is of a prior counts for every component alike.
    """
    prior = (best.objective - best.log_likelihood) / best.k
    return best.objective + (k - best.k) * (criterion.price(best.mixture.layout) + prior)


def _nearest(cost: Floats) -> Ints:
    """Return for each component all, itself first, by what it costs to join them."""
    cost = cost.copy()
    np.fill_diagonal(cost, -np.inf)
    return np.argsort(cost, axis=1, kind="stable")
