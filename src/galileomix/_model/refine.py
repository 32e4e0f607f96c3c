"""The robust search: the best model of every size, by splits, merges and swaps until none helps.

The search keeps one champion per number of components. A model of k components is split into
candidates of k + 1, merged into candidates of k - 1, and swapped (one pair merged, another
component split) into candidates of k. It sweeps up from one component to half as many again as
the best size so far, then down again, so that a gain anywhere is carried to every size. Sweeps go
on, with a strong and a weak prior in turn, until neither brings anything new. Nothing is drawn
at random: from one component on, the champions are a function of the records alone, and what
annealing offers besides can only improve them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from galileomix._model.champions import SAME, Champions
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.merge import Merge, join, merges
from galileomix._model.split import Split, splits
from galileomix._model.stats import Stats

STRENGTHS = (2.0, 0.5)
"""Prior strengths of the sweeps. A strong prior sees the large structure, a weak one the small."""
WORTH = 1 / 3
"""The share of a component's price that a split must promise for sizes beyond the best."""
HOPELESS = 0.15
"""How far behind a forecast may be, in nats per record or as a share of the density."""
PRIOR_STOP = Stop(tol=1e-5, max_iter=150)

Move = TypeVar("Move")
Notify = Callable[[Champions], None]


@dataclass(frozen=True)
class Effort:
    """How hard to look."""

    width: int  # how many splits, merges and swaps are tried at each size
    k_max: int  # the largest size to look at
    stop: Stop
    once: bool = False  # whether one sweep has to do


@dataclass
class Memory:
    """What sweeps with one prior strength have tried."""

    # By move and size, the generation of the champion that it was tried on.
    tried: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    # By size, the log-likelihoods of the fits with the prior.
    met: dict[int, list[float]] = field(default_factory=dict[int, list[float]])


class Refinement:
    """Improves champions; remembers what it has tried, so that it can be run again."""

    def __init__(self, records: Records, champions: Champions, effort: Effort) -> None:
        self._records = records
        self._champions = champions
        self._effort = effort
        self._memories = {strength: Memory() for strength in STRENGTHS}
        self._splits: dict[int, tuple[int, list[Split]]] = {}

    def run(self, notify: Notify = lambda champions: None) -> None:
        """Improve the champions until sweeps with every prior strength leave the best alone.

        ::

            until every strength has swept in vain, or all have twice without a better best
                for k = 1 ... 1.5 k*, as far as it pays:  swap the champion of k; split it
                for k = 1.5 k* ... 2:  merge the champion of k; swap that of k - 1
        """
        if self._effort.once:
            self._sweep(STRENGTHS[0], notify)
            return
        turn = unchanged = unimproved = 0
        while unchanged < len(STRENGTHS) and unimproved < 2 * len(STRENGTHS):
            before, best = dict(self._champions.generation), self._champions.best()
            self._sweep(STRENGTHS[turn % len(STRENGTHS)], notify)
            turn += 1
            unchanged = unchanged + 1 if self._champions.generation == before else 0
            unimproved = unimproved + 1 if self._champions.best() is best else 0

    def raise_all(self) -> None:
        """Leave no size with less likelihood than a smaller one, if a split can mend it."""
        for k in sorted(self._champions.by_size):
            self._raise(k)

    def _sweep(self, strength: float, notify: Notify) -> None:
        k = 1
        while k < self._top() and self._pays(k):
            self._swap(k, strength)
            self._split(k, strength)
            notify(self._champions)
            if k + 1 not in self._champions.by_size:
                break
            k += 1
        for size in range(k, 1, -1):
            self._merge(size, strength)
            self._swap(size - 1, strength)
            notify(self._champions)

    def _top(self) -> int:
        return min(self._effort.k_max, int(1.5 * self._champions.best().k) + 2)

    def _pays(self, k: int) -> bool:
        """Whether one component more comes near to being worth its price.

        Where their number is given none has a price: merges of what is larger improve it.
        """
        champions = self._champions
        if champions.wanted is not None or k <= champions.best().k:
            return True
        found = self._found_splits(k)
        price = champions.criterion.price(champions.by_size[k].mixture.layout)
        return bool(found) and found[0].gain >= WORTH * price

    def _split(self, k: int, strength: float) -> None:
        if self._fresh("split", k, strength):
            fit = self._champions.by_size[k]
            found = self._promising(fit, self._found_splits(k), lambda split: split.gain)
            self._try((parted(fit.stats, split) for split in found), strength)
            self._raise(k)

    def _raise(self, k: int) -> None:
        """Split the champion of k without a prior until one component more has no less likelihood.

        By what splits promise, which they need not hold: covariances are shrunk afterwards.
        """
        fit = self._champions.by_size.get(k)
        if fit is None or not self._is_short_after(k):
            return
        for split in self._found_splits(k):
            start = parted(fit.stats, split)
            self._champions.offer(em(self._records, start, stop=self._effort.stop))
            if not self._is_short_after(k):
                return

    def _is_short_after(self, k: int) -> bool:
        """Whether one component more has less likelihood, or is wanted and was not found."""
        return self._champions.falls_after(k) or self._champions.lacks_after(k)

    def _merge(self, k: int, strength: float) -> None:
        if self._fresh("merge", k, strength):
            fit = self._champions.by_size[k]
            found = merges(self._records, fit, self._champions.criterion)
            found = self._promising(fit, found, lambda merge: -merge.cost)
            self._try((join(fit.stats, merge) for merge in found), strength)

    def _swap(self, k: int, strength: float) -> None:
        if k > 2 and self._fresh("swap", k, strength):
            fit = self._champions.by_size[k]
            reach = 4 * self._effort.width
            parts = self._found_splits(k)[:reach]
            joins = merges(self._records, fit, self._champions.criterion)[:reach]
            pairs = [(s, m) for s in parts for m in joins if s.parent not in (m.first, m.second)]
            pairs.sort(key=lambda pair: pair[1].cost - pair[0].gain)
            pairs = self._promising(fit, pairs, lambda pair: pair[0].gain - pair[1].cost, least=0.0)
            self._try((swapped(fit.stats, *pair) for pair in pairs), strength)

    def _promising(
        self,
        fit: Fit,
        moves: Sequence[Move],
        forecast: Callable[[Move], float],
        least: float | None = None,
    ) -> Sequence[Move]:
        """Return the first few moves, as long as their forecast is not hopelessly behind.

        Behind the first of them, or behind ``least``. EM makes up for much of what a forecast
        from counts lacks, but never, as far as we have seen, for more than two thirds of this.
        """
        if not moves:
            return moves
        slack = HOPELESS * self._champions.criterion.scale(fit)
        bar = (forecast(moves[0]) if least is None else least) - slack
        return [move for move in moves[: self._effort.width] if forecast(move) >= bar]

    def _fresh(self, move: str, k: int, strength: float) -> bool:
        """Whether the champion of k is new since this move was last tried on it."""
        tried = self._memories[strength].tried
        generation = self._champions.generation.get(k)
        if generation is None or tried.get((move, k)) == generation:
            return False
        tried[move, k] = generation
        return True

    def _found_splits(self, k: int) -> list[Split]:
        generation = self._champions.generation[k]
        known = self._splits.get(k)
        if known is None or known[0] != generation:
            fit = self._champions.by_size[k]
            known = (generation, splits(self._records, fit, self._champions.criterion))
            self._splits[k] = known
        return known[1]

    def _try(self, candidates: Iterable[Stats], strength: float) -> None:
        """Fit candidates, first with the prior and then without, and offer them."""
        for candidate in candidates:
            rough = em(self._records, candidate, strength, PRIOR_STOP)
            if not self._met(rough, strength):
                target = self._champions.target(rough.k)
                fit = em(self._records, rough.stats, 0.0, self._effort.stop, target)
                self._champions.offer(fit)

    def _met(self, rough: Fit, strength: float) -> bool:
        """Whether an equal fit with the prior was followed up before: it would end the same."""
        met = self._memories[strength].met.setdefault(rough.k, [])
        value = rough.log_likelihood
        if any(abs(value - other) <= SAME * abs(value) for other in met):
            return True
        met.append(value)
        return False


def parted(stats: Stats, split: Split) -> Stats:
    """Return the statistics with one component parted in two; the two come last."""
    return stats.without([split.parent]).beside(split.halves)


def swapped(stats: Stats, split: Split, merge: Merge) -> Stats:
    """Return the statistics with one component parted and two others joined."""
    rest = stats.without([split.parent, merge.first, merge.second])
    joined = stats.take([merge.first, merge.second]).merged()
    return rest.beside(joined).beside(split.halves)
