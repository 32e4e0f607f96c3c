"""Expectation-maximisation, with a prior around the global distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from galileomix._model.cuts import Cuts, Halves
from galileomix._model.families import log_prior, maximise
from galileomix._model.params import Ints, Mixture
from galileomix._model.squarem import extrapolate
from galileomix._model.start import Centers
from galileomix._model.stats import Background, MoveStats, Stats

T = TypeVar("T")

EMPTY = 1e-10
"""A component with less than this share of all records is gone."""
GHOST_RECORDS, GHOST_SHARE = 1e-3, 1e-6
"""One that converged to less than both of these holds no record, and is dropped."""

DRAFT_AFTER = 4
"""Steps, an extrapolation among them, after which EM is not about to end and drafts pay."""
DRAFT_TOL = 1e-6
"""Drafts go on while a step gains more than this of the objective: a hundred times their error."""


class Records(Protocol):
    """The data, as the mathematics sees it: something that shares records out and counts.

    ``everything`` is the statistics of all records as one component, ``background`` its G.
    Each method is one pass over all records, or a few; ``before_pass`` is called before each.
    """

    everything: Stats
    background: Background
    before_pass: Callable[[], None]

    @property
    def n_rows(self) -> int:
        """The number of rows, whatever they weigh."""
        ...

    @property
    def drafts(self) -> bool:
        """Whether a draft of an E-step saves more time than its few digits cost."""
        ...

    def sample(self, n: int) -> Records:
        """Return about n of the records; a pass over them is that much less of one."""
        ...

    def once(self, asked: object, run: Callable[[], T]) -> T:
        """Return what a run of passes finds, or what it found before, if that is remembered.

        ``asked`` is all that the outcome depends on, besides the records.
        """
        ...

    def expect(self, mixture: Mixture, draft: bool = False) -> Stats:
        """E-step: share every record among the components, by Bayes, and count."""
        ...

    def expect_each(self, mixtures: Sequence[Mixture]) -> tuple[Stats, ...]:
        """E-step under several mixtures, while the records are passed over once."""
        ...

    def count_cuts(self, mixture: Mixture, cuts: Cuts) -> Stats:
        """Count the records that meet each cut within its component."""
        ...

    def expect_halves(self, mixture: Mixture, halves: Halves) -> MoveStats:
        """E-step within each parent, between the two of each pair."""
        ...

    def draw(self, k: int, rng: np.random.Generator) -> Centers:
        """Draw k records by weight."""
        ...

    def label(self, centers: Centers, mixture: Mixture) -> Ints:
        """Return the most probable component of records that were drawn."""
        ...


@dataclass(frozen=True)
class Stop:
    """When EM stops: a step gained less than ``tol`` of the objective, or there were too many."""

    tol: float = 1e-9
    max_iter: int = 1000

    @property
    def light(self) -> Stop:
        """When to stop where the last digits do not matter yet."""
        return Stop(max(self.tol, 1e-7), min(self.max_iter, 50))


DEFAULT_STOP = Stop()


@dataclass(frozen=True, eq=False)
class Fit:
    """A mixture, and the statistics of the records under it (so both agree to the digit).

    ``given_up`` says that EM stopped because there was no hope of reaching its target.
    """

    mixture: Mixture
    stats: Stats
    objective: float
    n_iter: int
    converged: bool
    given_up: bool = False

    @property
    def k(self) -> int:
        """The number of components."""
        return self.mixture.k

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood of the records under the mixture."""
        return self.stats.log_likelihood


def em(
    records: Records,
    start: Stats | Mixture,
    s: float = 0.0,
    stop: Stop = DEFAULT_STOP,
    target: float = -np.inf,
    plain: bool = False,
) -> Fit:
    """Fit a mixture of the size it is begun with.

    ::

        repeat
            M: take the mixture from the counts
            E: share the records out under the mixture; note its objective
            stop when the objective gained less than ``tol`` of itself, or of N;
            but first drop components that hold no record
            every third time, accelerate: take the mixture from counts further along the way they
            moved, and stay there if the objective is no less

    The objective is the log-likelihood, plus the log-prior where there is one; it never falls,
    but for the trace of a dropped component.
    A run whose objective is forecast to stay below ``target`` is given up.
    Where records are many, steps after the first acceleration are drafts for as long as they gain
    much; what is returned is not. ``plain`` EM neither accelerates nor drafts.
    """
    asked = (start, s, stop, target, plain)
    return records.once(("em", *asked), lambda: _em(records, *asked))


def _em(
    records: Records, start: Stats | Mixture, s: float, stop: Stop, target: float, plain: bool
) -> Fit:
    climb = _Climb(records, s)
    state = _begun(climb.e_step(start if isinstance(start, Mixture) else climb.m_step(start)), 1)
    while state.n_iter < stop.max_iter:
        state = climb.step(state)
        if climb.has_stalled(state, stop.tol):
            held = climb.components_with_records(state.here.stats)
            if not state.draft and len(held) == state.here.mixture.k:
                return _fit(state.here, state.n_iter, converged=True)
            state = climb.tidied(state, held)
        elif _is_hopeless(state, target):
            return _fit(state.here, state.n_iter, given_up=True)
        elif not plain and len(state.trail) == 3 and state.n_iter < stop.max_iter:
            state = climb.accelerated(state)
    return _fit(climb.polished(state), state.n_iter)


def one_step(records: Records, starts: Sequence[Mixture]) -> list[Fit]:
    """Take one step of EM from each of several mixtures, while the records are passed over twice.

    On a cluster asking takes longer than what is asked.
    """
    return records.once(("one step", tuple(starts)), lambda: _one_step(records, starts))


def _one_step(records: Records, starts: Sequence[Mixture]) -> list[Fit]:
    climb = _Climb(records, 0.0)
    begun = climb.e_steps(starts)
    return [_fit(here, 2) for here in climb.e_steps([climb.m_step(first.stats) for first in begun])]


class _Point(NamedTuple):
    """A mixture, the statistics of the records under it, and its objective."""

    mixture: Mixture
    stats: Stats
    objective: float


class _State(NamedTuple):
    """Where EM is, and how it came there.

    ``trail`` is the statistics of up to three steps in a row, the last of them here; ``gain`` and
    ``last_gain`` are what the last two steps brought, infinite where there was none.
    """

    here: _Point
    trail: tuple[Stats, ...]
    n_iter: int
    gain: float = np.inf
    last_gain: float = np.inf
    draft: bool = False


def _begun(here: _Point, n_iter: int) -> _State:
    return _State(here, (here.stats,), n_iter)


class _Climb:
    """The steps of EM on some records with a prior of strength s, each from state to state."""

    def __init__(self, records: Records, s: float) -> None:
        self._records = records
        self._s = s
        self._N = float(records.everything.weight[0])

    def e_step(self, mixture: Mixture, draft: bool = False) -> _Point:
        """Share the records out under a mixture; note its objective."""
        return self._reached(mixture, self._records.expect(mixture, draft))

    def e_steps(self, mixtures: Sequence[Mixture]) -> list[_Point]:
        """Do the same under several mixtures."""
        found = self._records.expect_each(mixtures)
        return [self._reached(*reached) for reached in zip(mixtures, found, strict=True)]

    def _reached(self, mixture: Mixture, stats: Stats) -> _Point:
        # Fits are held by the dozen, and what a kernel prepares for a pass is larger than they are.
        mixture.cache.clear()
        prior = log_prior(mixture, self._records.background, self._s)
        return _Point(mixture, stats, stats.log_likelihood + prior)

    def m_step(self, stats: Stats) -> Mixture:
        """Take the mixture from the counts, without components that are gone."""
        held = np.flatnonzero(stats.weight > EMPTY * stats.weight.sum())
        stats = stats if len(held) == stats.k else stats.take(held)
        return maximise(stats, self._records.background, self._s)

    def step(self, state: _State) -> _State:
        """M, then E."""
        here = self.e_step(self.m_step(state.here.stats), state.draft)
        gain = here.objective - state.here.objective
        trail = (*state.trail[-2:], here.stats)
        return _State(here, trail, state.n_iter + 1, gain, state.gain, state.draft)

    def accelerated(self, state: _State) -> _State:
        """Go on from further ahead, if that is no lower; from then on drafts may pay."""
        here, n_iter, gain = state.here, state.n_iter, state.gain
        ahead = extrapolate(*state.trail)
        if ahead is not None:
            landed = self.e_step(self.m_step(ahead), state.draft)
            n_iter += 1
            if landed.objective >= here.objective:
                here, gain = landed, np.inf
        draft = state.draft or (self._records.drafts and n_iter <= DRAFT_AFTER)
        return _State(here, (here.stats,), n_iter, gain, draft=draft)

    def has_stalled(self, state: _State, tol: float) -> bool:
        """Whether the last step gained next to nothing."""
        least = (DRAFT_TOL if state.draft else tol) * max(abs(state.here.objective), self._N)
        return not state.gain > least

    def components_with_records(self, stats: Stats) -> Ints:
        """Return the components that hold a record, or anything worth the name."""
        return np.flatnonzero(stats.weight > min(GHOST_RECORDS, GHOST_SHARE * self._N))

    def tidied(self, state: _State, held: Ints) -> _State:
        """Begin again with the components that hold a record, in full precision."""
        stats = state.here.stats.take(held)
        mixture = maximise(stats, self._records.background, self._s)
        return _begun(self.e_step(mixture), state.n_iter)

    def polished(self, state: _State) -> _Point:
        """Return where EM is, in full precision."""
        return self.e_step(state.here.mixture) if state.draft else state.here


def _is_hopeless(state: _State, target: float) -> bool:
    """Whether twice what Aitken's forecast promises, and half a unit, stays below the target."""
    gain, last_gain = state.gain, state.last_gain
    if not np.isfinite(target) or not np.isfinite(last_gain) or last_gain <= 0:
        return False
    rate = min(max(gain / last_gain, 0.0), 0.98)
    return state.here.objective + 2.0 * gain * rate / (1.0 - rate) + 0.5 < target


def _fit(here: _Point, n_iter: int, converged: bool = False, given_up: bool = False) -> Fit:
    return Fit(here.mixture, here.stats, here.objective, n_iter, converged, given_up)
