"""The robust search in some records, a step at a time.

A search is what it has found and the name of its next step, so that it can be put aside between any
two steps and taken up again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from galileomix._model.anneal import Pruning
from galileomix._model.champions import SAME_LOSS, Champions
from galileomix._model.criteria import Criterion
from galileomix._model.em import Fit, Records, Stop, em
from galileomix._model.explore import Exploration
from galileomix._model.families import maximise
from galileomix._model.fill import Fill
from galileomix._model.fresh import fresh_start
from galileomix._model.grow import ROUGH, STRENGTHS, Limits, grow
from galileomix._model.kicks import Kicks, Tally
from galileomix._model.outlook import Outlook, is_clearly_rough, kicks_needed
from galileomix._model.refine import Effort, Refinement
from galileomix._model.snap import snap
from galileomix._model.split import is_costly
from galileomix._model.stats import Stats
from galileomix._model.with_prior import offer_without

PATIENCE = 200
"""Kicks in vain after which the search ends, at an effort of 1."""
FIRST_STAGE = 25
"""Kicks in vain after which the first stage ends; each further stage has twice as many."""
WIDEST, NARROWEST = 6, 2
FREE_CELLS = 4e5
"""Records x cells that one candidate more per move may cost: small tables, wide search."""
FREE_ROWS = 20_000
"""Rows up to which patience is whole; beyond, a kick costs more, and there are fewer of them."""
AT_THE_END = 10
"""Steps of EM without a prior for a model that the end of the search cut short."""
FEW, KICKS_EACH, OFTEN = 8, 25, 3
"""Up to so many components there are fresh starts too, one for so many kicks in vain, until they
have led to the best model so often: of more they end far behind what kicks have found."""
CHEAP = 1e6
"""Where models are many that are nearly as good there is one more stage, if a pass costs no more
cells than this: records x cells of each x components."""


@dataclass(frozen=True)
class Settings:
    """What the user chose."""

    criterion: Criterion
    k_max: int | None  # the most components; None where that is chosen automatically
    limit: int  # the most that is ever chosen automatically
    beta: float
    pruning: Pruning
    prior_strength: float  # of the annealing
    stop: Stop
    wanted: int | None = None  # the number of components; None where the criterion chooses it
    effort: float = 1.0  # how long kicks go on
    every_size: bool = True  # whether by density all sizes are refined, not those near the best


Notify = Callable[[Fit], None]


class SearchSteps:
    """The robust search in its steps, in some records; what it finds is in the champions.

    ``next`` names the step that comes next; it is empty when the search is over.
    """

    def __init__(
        self, records: Records, settings: Settings, notify: Notify, outlook: Outlook
    ) -> None:
        self._records, self._settings, self._notify = records, settings, notify
        self._outlook = outlook
        self._limits = Limits(settings.k_max or settings.limit, settings.wanted)
        self.champions = Champions(settings.criterion, settings.wanted)
        self.champions.offer(em(records, records.everything, stop=settings.stop))
        self.tally = Tally()
        self.unfinished: Stats | None = None  # what a better model may be had from
        self.next = "" if 1 in (self._limits.most, self._limits.wanted) else "grow"
        self._stage = 0
        self._again = 0  # fresh starts that led to the best model
        self._grown: list[Fit] = []  # what growth has come to
        self._explored: Kicks | None = None  # those that led farthest
        cost = records.everything.layout.cost
        self._stages = _stages(settings.effort, records.n_rows * cost)
        notify(self.champions.best())

    def step(self, rng: np.random.Generator, carried: Champions | None) -> None:
        """Take the next step; ``carried`` are the champions of a sample, if there was one."""
        match self.next:
            case "grow":
                self.next = self._grow(carried)
            case "explore":
                self.next = self._explore(rng)
            case "fill":
                self.next = self._fill_in(rng, carried)
            case "begin anew":
                self.next = self._begin_anew(rng)
            case "kick":
                self.next = self._kick()
            case "refine":
                self.next = self._refine()
            case "snap":
                self.next = self._snap()
            case "fill again":
                self.next = self._fill_again()
            case _:
                self.next = self._finish()

    def end(self) -> None:
        """Fit what a better model may be had from, if the search ends before that is done."""
        if self.unfinished is not None:
            few = Stop(self._settings.stop.tol, AT_THE_END)
            start = maximise(self.unfinished, self._records.background, STRENGTHS[0])
            self.champions.offer(em(self._records, start, stop=few))

    def _grow(self, carried: Champions | None) -> str:
        """Grow from one component in several ways, or from what was found in a sample."""
        records, settings, champions = self._records, self._settings, self.champions
        start, costly = champions.best(), carried is not None or is_costly(records)
        stop = settings.stop.light if costly else settings.stop  # the best is finished at the end
        if carried is not None:
            start = em(records, carried.best().stats, STRENGTHS[0], ROUGH)
            self._note(start)
        for strength in self._ways_to_grow(carried):
            for fit in grow(records, start, settings.criterion, self._limits, strength):
                self._note(fit)
            self._offer_unfinished(stop)
        self._offer_unfinished(stop)
        if self._collapses():
            for fit in grow(records, champions.best(), settings.criterion, self._limits, 0.0):
                champions.offer(em(records, fit.stats, stop=stop))
                self._notify(champions.best())
        if len(self._grown) < 2 or not self._stages:
            return "fill"
        self._exploration = Exploration(records, champions, self._grown, self._stages[0])
        return "explore"

    def _ways_to_grow(self, carried: Champions | None) -> tuple[float, ...]:
        """Return the strengths of the prior to grow with.

        One where rows are many, by density, and where single records are clusters; none by density
        where there was a sample, whose model is as large as it may be.
        """
        of_likelihood = self._settings.criterion.of_likelihood
        if carried is not None and not of_likelihood:
            return ()
        several = carried is None and of_likelihood and not self._collapses()
        return STRENGTHS if several else STRENGTHS[:1]

    def _offer_unfinished(self, stop: Stop) -> None:
        """Fit to the end what growth has come to; remember it, unless it was come to before."""
        if self.unfinished is not None:
            fit = em(self._records, self.unfinished, stop=stop)
            if not self.champions.nearly_has(fit):
                self._grown.append(fit)
            self.champions.offer(fit)
            self.unfinished = None
            self._notify(self.champions.best())

    def _explore(self, rng: np.random.Generator) -> str:
        """Kick each model that growth has come to for a while; go on with what is best then."""
        exploration, outlook = self._exploration, self._outlook
        if exploration.kick(self._limits, self._settings.stop, rng):
            outlook.aside, kicks = exploration.n_others, exploration.now
            k = kicks.champions.best().k
            outlook.note(kicks.tally, k, self._stages[0], self._stages[-1], refined=False)
            outlook.kicks_left += exploration.n_ahead
            self._notify(self.champions.best())
            return "explore"
        self._explored = exploration.farthest()
        self.champions = self._explored.champions
        outlook.aside, outlook.doing = outlook.kicks - self._explored.tally.kicks, "other"
        return "fill"

    def _collapses(self) -> bool:
        """Whether single records are clusters, as numbers without a prior make them.

        Growth with a prior sees none of them, and all that comes after it takes a few at a time.
        """
        numbers = self._records.everything.layout.n_numeric > 0
        likelihood = self._settings.criterion.of_likelihood
        return numbers and likelihood and self._records.background.least < 1.0

    def _note(self, fit: Fit) -> None:
        """Remember a model that growth has come to; tell of it, if it is the best so far."""
        self.unfinished = fit.stats
        if self._loss(fit) < self._loss(self.champions.best()):
            self._notify(fit)

    def _fill_in(self, rng: np.random.Generator, carried: Champions | None) -> str:
        """Fill in the other sizes, and make ready what improves all of them."""
        records, champions, stop = self._records, self.champions, self._settings.stop
        self._fill = Fill(records, champions, self._limits.most, stop, carried)
        self._fill.run()
        self._notify(champions.best())
        self._refinement = self._new_refinement()
        of_likelihood = self._settings.criterion.of_likelihood
        if not of_likelihood and carried is None:
            self._outlook.phase = "improving"
            return "refine"
        if not of_likelihood or not self._stages:
            return "finish"
        self._kicks = self._explored or Kicks(records, champions, self._limits, stop, rng)
        self.tally = self._kicks.tally
        self.tally.patience = self._stages[0]
        self._outlook.doing = "kicks"
        return "begin anew"

    def _begin_anew(self, rng: np.random.Generator) -> str:
        """Begin anew some times, where components are few, until that leads to the best often."""
        for _ in range(self.tally.patience // KICKS_EACH):
            best, settings = self.champions.best(), self._settings
            if best.k > FEW or self._again == OFTEN or best.k != (self._limits.wanted or best.k):
                break
            fresh = fresh_start(self._records, best.k, settings.criterion, self._limits, rng)
            end = offer_without(self._records, self.champions, fresh, settings.stop)
            gain = self._loss(best) - self._loss(end)
            self._again = 0 if gain > SAME_LOSS else self._again + (gain > -SAME_LOSS)
        self._notify(self.champions.best())
        return "kick"

    def _new_refinement(self) -> Refinement:
        """Return what improves sizes near the best one; by density all sizes."""
        settings = self._settings
        near = settings.criterion.of_likelihood or not settings.every_size
        effort = Effort(_width(self._records), self._limits.most, settings.stop, near)
        return Refinement(self._records, self.champions, effort)

    def _kick(self) -> str:
        """Kick once, until as many kicks were in vain as patience lasts."""
        tally, patience = self.tally, self.tally.patience
        refined = patience > FIRST_STAGE
        if tally.in_vain >= kicks_needed(tally, self.champions.best().k, patience):
            if not refined:
                return "fill again"
            self._outlook.doing = "refinement"
            return "refine"
        self._kicks.kick()
        best, more = self.champions.best(), is_clearly_rough(tally) and self._is_cheap()
        last = 2 * self._stages[-1] if more else self._stages[-1]
        self._outlook.note(tally, best.k, patience, last, refined)
        self._notify(best)
        return "kick"

    def _refine(self) -> str:
        """Visit one size, until refinement is over."""
        if self._refinement.visit():
            self._notify(self.champions.best())
            return "refine"
        return "snap" if self._settings.criterion.of_likelihood else "finish"

    def _snap(self) -> str:
        champions = self.champions
        champions.offer(snap(self._records, champions.best(), self._settings.stop))
        self._notify(champions.best())
        return "fill again"

    def _fill_again(self) -> str:
        """Fill in the other sizes, and begin another stage, if there is one."""
        self._fill.run()
        self._outlook.doing = "kicks"
        self._stage += 1
        stages = self._stages
        if self._stage < len(stages):
            self.tally.patience = stages[self._stage]
        elif self._stage == len(stages) and self.tally.is_rough and self._is_cheap():
            self.tally.patience = 2 * stages[-1]  # many models are nearly as good, and passes cheap
        else:
            return "finish"
        return "begin anew"

    def _finish(self) -> str:
        stop = self._settings.stop
        self.champions.finish(em(self._records, self.champions.best().stats, stop=stop))
        self._notify(self.champions.best())
        return ""

    def _loss(self, fit: Fit) -> float:
        return self._settings.criterion.loss(fit)

    def _is_cheap(self) -> bool:
        """Whether a pass costs so little that there may be one more stage."""
        return _cells(self._records) * self.champions.best().k <= CHEAP


def _width(records: Records) -> int:
    """Return how many candidates of each move are tried at a size: more on small tables."""
    return int(min(max(FREE_CELLS / _cells(records), NARROWEST), WIDEST))


def _cells(records: Records) -> float:
    return float(records.everything.weight[0]) * records.everything.layout.n_cells


def _stages(effort: float, n_rows: float) -> list[int]:
    """Return the patience of each stage; none where a kick costs more than all of growth.

    >>> _stages(1.0, 1000), _stages(0.3, 1000), _stages(1.0, 25_000), _stages(1.0, 1_000_000)
    ([25, 50, 100, 200], [25, 50], [25, 50, 100], [])
    """
    whole = max(PATIENCE * effort, FIRST_STAGE) * min(1.0, FREE_ROWS / n_rows) ** 2
    stages: list[int] = []
    while FIRST_STAGE * 2 ** len(stages) <= whole:
        stages.append(FIRST_STAGE * 2 ** len(stages))
    return stages
