"""How far long work has come, as one frozen record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from galileomix._words import CRITERIA, about_duration, counted

FIRST_MOMENTS = 1.0
"""Seconds after which the speed says how long the rest will take."""


@dataclass(frozen=True)
class Progress:
    """How far long work has come.

    Parameters
    ----------
    phase : str
        What is being done. In a fit: ``"reading"`` finds the values of every column and
        ``"encoding"`` stores the rows, where a table is read from files; ``"growing"`` and
        ``"improving"`` search for the model (``"annealing"`` as published), ``"weighing sizes"``
        finds out how well each size predicts, and ``"fitted"`` is the end; then a detector is
        ``"judging"`` the rows.
    seconds : float
        Since the search began, or the first of several parts; of rows, since the phase began.
    share : float, optional
        How much of it is done, from 0 to 1. None where that is not known.
    seconds_left : float, optional
        How long it will still take, estimated; of rows, the phase alone. None where nothing can
        be said, as in the first moments.
    done : bool
        Whether the phase is complete.
    part : str
        Which of several parts this is, such as ``"resample 3 of 20"``.
    rows : int
        The rows so far in this phase.
    bytes_read, bytes_total : int
        Of the files; zero where the rows come from elsewhere.
    k : int
        The components of the best model so far; zero before there is one.
    criterion : str
    value : float, optional
        The criterion of that model.
    n_passes : int
        The passes of the search over the data.

    Examples
    --------
    >>> step = Progress("reading", 2.0, rows=50_000, bytes_read=4_000, bytes_total=16_000)
    >>> step.rows_per_second
    25000.0
    >>> print(step)
    reading: 50,000 rows (25,000 per second), 4 of 16 kB
    >>> print(Progress("improving", 30.0, 0.3, 70.0, k=4, criterion="bic", value=17.1, n_passes=9))
    improving: 4 clusters, BIC 17.1, 9 passes, about 1 min left
    """

    phase: str
    seconds: float
    share: float | None = None
    seconds_left: float | None = None
    done: bool = False
    part: str = ""
    rows: int = 0
    bytes_read: int = 0
    bytes_total: int = 0
    k: int = 0
    criterion: str = ""
    value: float | None = None
    n_passes: int = 0

    @classmethod
    def at_share(cls, phase: str, seconds: float, share: float | None, rows: int) -> Progress:
        """Return the progress of work on rows whose speed says how long the rest will take.

        Examples
        --------
        >>> Progress.at_share("judging", 10.0, 0.25, rows=100).seconds_left
        30.0
        """
        if share is not None and share >= 1.0:
            return cls(phase, seconds, 1.0, 0.0, rows=rows)
        known = seconds >= FIRST_MOMENTS
        left = seconds * (1.0 - share) / share if share and known else None
        return cls(phase, seconds, share, left, rows=rows)

    @property
    def rows_per_second(self) -> float | None:
        """How many rows are done in a second; None before any."""
        return self.rows / self.seconds if self.rows and self.seconds > 0 else None

    @property
    def doing(self) -> str:
        """What is being done and how far it is, in words."""
        said = ", ".join([*self._reading(), *self._searching()])
        return ": ".join(filter(None, (self.part, self.phase, said)))

    @property
    def left(self) -> str:
        """How long it will still take, in words; nothing where that is not known."""
        known = self.seconds_left is not None and not self.done
        return f"{about_duration(self.seconds_left or 0.0)} left" if known else ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.doing, self.left)))

    def _reading(self) -> list[str]:
        if not self.rows:
            return []
        speed = self.rows_per_second
        pace = f" ({_digits(speed, 2):,} per second)" if speed else ""
        said = [f"{self.rows:,} {'row' if self.rows == 1 else 'rows'}{pace}"]
        if self.bytes_total:
            size, unit = (1e6, "MB") if self.bytes_total >= 10e6 else (1e3, "kB")
            read = f"{self.bytes_read / size:,.0f} of {self.bytes_total / size:,.0f} {unit}"
            said.append(read)
        return said

    def _searching(self) -> list[str]:
        if self.value is None:
            return []
        best = f"{CRITERIA[self.criterion]} {self.value:.6g}"
        passes = f"{self.n_passes:,} {'pass' if self.n_passes == 1 else 'passes'}"
        return [counted(self.k, "cluster"), best, passes]


Report = Callable[[Progress], Any]
"""What is called with progress; where it returns False, a search ends."""


def untimed(report: Report | None) -> Report | None:
    """Return what reports the same but for how much is done and the time left.

    Examples
    --------
    >>> untimed(print)(Progress("improving", 30.0, 0.3, 70.0))
    improving
    """
    if report is None:
        return None
    return lambda step: report(replace(step, share=None, seconds_left=None))


def _digits(number: float, n: int) -> int:
    """Return a number in its first digits.

    >>> _digits(123456.7, 2), _digits(7.0, 2)
    (120000, 7)
    """
    return int(round(number, n - len(str(int(number)))))
