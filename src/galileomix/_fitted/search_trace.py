"""How the best model of a search became better, pass by pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from galileomix._model.em import Fit

Points = tuple[tuple[int, float], ...]
"""Passes over the data, and the criterion of the best model after them."""
MEANT, MEANT_SHARE, MEANT_DENSITY = 0.1, 1e-6, 1e-3
"""What a model gains by less is the last steps of EM: AIC or BIC, these and a density as shares."""


class SearchTrace:
    """Notes how good the best model is whenever a search tells of one."""

    def __init__(self) -> None:
        self.points: list[tuple[int, float]] = []

    def following(
        self,
        notify: Callable[[Fit], None],
        value: Callable[[Fit], float],
        passes: Callable[[], int],
    ) -> Callable[[Fit], None]:
        """Return `notify`, so that what it is told is noted; of a second search, after the first.

        ``value`` is the criterion of a fit, ``passes`` how many there were in this search.
        """
        before = self.points[-1][0] if self.points else 0
        last: Fit | None = None

        def note(fit: Fit) -> None:
            nonlocal last
            if fit is not last:
                self.points.append((before + passes(), value(fit)))
                last = fit
            notify(fit)

        return note

    def improvements(self, end: tuple[int, float], greatest: bool) -> Points:
        """Return when the best model became better, and how good it was; it ends as good as `end`.

        What was only thought to be better, in a sample of the rows, does not count: at any time
        the best model is taken to be as good as it was at its worst from there on.

        Examples
        --------
        >>> trace = SearchTrace()
        >>> trace.points = [(1, 90.0), (2, 40.0), (3, 60.0), (9, 50.0)]
        >>> trace.improvements((12, 50.0), greatest=False)
        ((1, 90.0), (2, 60.0), (9, 50.0))
        """
        points = [(passes, value) for passes, value in [*self.points, end] if np.isfinite(value)]
        best = end[1]
        if not np.isfinite(best):
            return ()
        sign = -1.0 if greatest else 1.0
        meant = MEANT_DENSITY * best if greatest else max(MEANT, MEANT_SHARE * abs(best))
        behind = np.array([sign * (value - best) for _, value in points])
        behind[behind <= meant] = 0.0
        level = np.maximum.accumulate(behind[::-1])[::-1]
        first = np.flatnonzero(np.diff(level, prepend=np.inf) < 0).tolist()
        return tuple((points[i][0], best + sign * float(level[i])) for i in first)
