"""Refinement: splits, merges and swaps read from counts, at every size, until none helps.

A model of k components is split into candidates of k + 1, merged into candidates of k - 1, and
swapped (one pair merged, another component split) into candidates of k. It sweeps up from the
smallest size to the largest, then down again, so that a gain anywhere is carried to every size.
Sweeps go on, with a strong and a weak prior in turn, until neither brings anything new. Nothing is
drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from galileomix._model.champions import Champions
from galileomix._model.em import Fit, Records, Stop
from galileomix._model.grow import parted
from galileomix._model.merge import Merge, join, merges
from galileomix._model.recall import Met, Tried
from galileomix._model.split import Split, splits
from galileomix._model.stats import Stats
from galileomix._model.with_prior import STRENGTHS, WithPrior, offer_without

NEAREST, FARTHEST = 2, 3
"""How far sizes are looked at that are near: a quarter of the best size, within these."""
WORTH = 1 / 3
"""The share of a component's price that a split must promise for sizes beyond the best."""
HOPELESS = 0.15
"""How far behind a forecast may be, in nats per record or as a share of the density."""

Move = TypeVar("Move")


@dataclass(frozen=True)
class Effort:
    """How hard to look."""

    width: int  # how many splits, merges and swaps are tried at each size
    k_max: int  # the largest size to look at
    stop: Stop
    near: bool = False  # whether to look only at sizes near the best one


@dataclass
class Sweep:
    """A sweep up and down the sizes: where it is, and what there was when it began."""

    k: int
    first: int
    generation: dict[int, int]
    best: Fit
    upward: bool = True


class Refinement:
    """Improves champions; remembers what it has tried, so that it can be run again."""

    def __init__(self, records: Records, champions: Champions, effort: Effort) -> None:
        self._records = records
        self._champions = champions
        self._effort = effort
        self._tried, self._met = Tried(champions), Met()
        self._with_prior = WithPrior(records, champions.criterion)
        # By size, with the generation of the champion they are of.
        self._splits: dict[int, tuple[int, list[Split]]] = {}
        self._sweep: Sweep | None = None  # the one that is under way
        self._turn = self._unchanged = self._unimproved = 0

    def run(self) -> None:
        """Improve the champions until sweeps with every prior strength leave the best alone.

        ::

            until every strength has swept in vain, or all have twice without a better best
                for k = smallest ... largest, as far as it pays:  swap the champion of k; split it
                for k = largest ... smallest + 1:  merge the champion of k; swap that of k - 1
        """
        while self.visit():
            pass

    def visit(self) -> bool:
        """Visit the next size of a sweep; whether there was one, or it is time to end."""
        if self._sweep is None:
            enough = self._unchanged == len(STRENGTHS) or self._unimproved == 2 * len(STRENGTHS)
            if enough:
                self._turn = self._unchanged = self._unimproved = 0
                return False
            k, generation = self._bottom(), dict(self._champions.generation)
            self._sweep = Sweep(k, k, generation, self._champions.best())
        self._visit(self._sweep, STRENGTHS[self._turn % len(STRENGTHS)])
        if not self._sweep.upward and self._sweep.k == self._sweep.first:
            self._note(self._sweep)
            self._sweep = None
        return True

    def _visit(self, sweep: Sweep, strength: float) -> None:
        """Swap and split on the way up; merge, and swap what comes of it, on the way down."""
        k = sweep.k
        if not sweep.upward:
            self._merge(k, strength)
            self._swap(k - 1, strength)
            sweep.k -= 1
        elif k < self._top() and self._pays(k):
            self._swap(k, strength)
            self._split(k, strength)
            sweep.upward = k + 1 in self._champions.by_size
            sweep.k += sweep.upward
        else:
            sweep.upward = False

    def _note(self, sweep: Sweep) -> None:
        """Note whether a sweep changed anything, and whether the best model is a better one."""
        self._turn += 1
        same = self._champions.generation == sweep.generation
        self._unchanged = self._unchanged + 1 if same else 0
        kept = self._champions.best() is sweep.best
        self._unimproved = self._unimproved + 1 if kept else 0

    def _bottom(self) -> int:
        """Return the smallest size to look at: one that has a champion, as have all above it."""
        sizes = self._champions.by_size
        k = self._champions.best().k
        least = max(1, k - _reach(k)) if self._effort.near else 1
        while k > least and k - 1 in sizes:
            k -= 1
        return k

    def _top(self) -> int:
        k = self._champions.best().k
        top = k + _reach(k) if self._effort.near else int(1.5 * k) + 2
        return min(self._effort.k_max, top)

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
        if self._tried.is_new("split", k, strength):
            fit = self._champions.by_size[k]
            found = self._promising(fit, self._found_splits(k), lambda split: split.gain)
            self._try((parted(fit.stats, [split]) for split in found), strength)

    def _merge(self, k: int, strength: float) -> None:
        if self._tried.is_new("merge", k, strength):
            fit = self._champions.by_size[k]
            found = merges(self._records, fit, self._champions.criterion)
            found = self._promising(fit, found, lambda merge: -merge.cost)
            self._try((join(fit.stats, merge) for merge in found), strength)

    def _swap(self, k: int, strength: float) -> None:
        if k > 2 and self._tried.is_new("swap", k, strength):
            fit = self._champions.by_size[k]
            reach = 4 * self._effort.width
            parts = self._found_splits(k)[:reach]
            joins = merges(self._records, fit, self._champions.criterion, reach)
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
        champions, stop = self._champions, self._effort.stop
        for candidate in candidates:
            rival = champions.by_size.get(candidate.k)
            rough = self._with_prior.follow(candidate, strength, rival)
            if rough is not None and self._met.is_new(rough, strength):
                offer_without(self._records, champions, rough, stop)


def _reach(k: int) -> int:
    """Return how far from k components sizes are near."""
    return min(max(NEAREST, k // 4), FARTHEST)


def swapped(stats: Stats, split: Split, merge: Merge) -> Stats:
    """Return the statistics with one component parted and two others joined."""
    rest = stats.without([split.parent, merge.first, merge.second])
    joined = stats.take([merge.first, merge.second]).merged()
    return rest.beside(joined).beside(split.halves)
