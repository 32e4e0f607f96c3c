"""The classes of a classifier, as its report has them: which one each cluster is of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from galileomix._fitted.visible_text import shown
from galileomix._model.params import Floats
from galileomix._words import counted

SURELY = 0.95
"""From this probability on a class stands alone."""
SHOWN_CLASSES = 12


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes that a classifier tells apart."""

    names: tuple[str, ...]
    probabilities: Floats  # (n_classes, k), P(class | cluster)
    target: str = ""  # the column that holds them, where it is known

    def of_clusters(self) -> list[str]:
        """Return the most probable class of each cluster, with its probability if it is not sure.

        Examples
        --------
        >>> Classes(("yes", "no"), np.array([[1.0, 0.25], [0.0, 0.75]])).of_clusters()
        ['yes', 'no (75%)']
        """
        best = zip(self._best, self.probabilities.max(axis=0).tolist(), strict=True)
        return [shown(self.names[c]) + ("" if p >= SURELY else f" ({p:.0%})") for c, p in best]

    def in_words(self) -> str:
        """Return how many clusters there are of each class.

        Examples
        --------
        >>> p = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
        >>> Classes(("yes", "no"), p, "smokes").in_words()
        '2 classes of smokes: yes (1 cluster), no (2 clusters)'
        """
        of = f" of {shown(self.target)}" if self.target else ""
        more = len(self.names) - SHOWN_CLASSES
        rest = f" and {more} more" if more > 0 else ""
        found = ", ".join([*self._counted()][:SHOWN_CLASSES])
        return f"{counted(len(self.names), 'class', 'classes')}{of}: {found}{rest}"

    @property
    def _best(self) -> list[int]:
        return self.probabilities.argmax(axis=0).tolist()

    def _counted(self) -> Iterator[str]:
        clusters = np.bincount(self._best, minlength=len(self.names)).tolist()
        for name, n in zip(self.names, clusters, strict=True):
            yield f"{shown(name)} ({counted(n, 'cluster')})"
