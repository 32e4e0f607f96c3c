"""Questions about records: which cells are surprising, and which may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from galileomix._estimators.fitted_attributes import FittedAttributes
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._fitted import blame, explain
from galileomix._fitted.explanation import Explanation
from galileomix._model.params import Floats, Ints


class JudgeMethods(FittedAttributes):
    """`explain`, `surprise` and `blame`."""

    def explain(self, X: Any, sizes: int | Sequence[int] | Ints | None = None) -> Explanation:
        """Return which cells of every record are surprising, and what was expected instead.

        The surprise of a cell is ``-log p(value | all other cells of the record)``, in nats. For a
        number it is minus the logarithm of the probability of a number at least as far out, so
        that it does not depend on the unit. Models of several sizes judge together (see
        ``predictive``), smoothed, so that no surprise is infinite; a value that fit never saw
        counts as one in N + 1 records.

        Parameters
        ----------
        X : table
            As in `fit`; memory is needed for a few frames of its size.
        sizes : int or sequence of shape (n_rows,), optional
            The size of the model on the path by which records are explained, one for all or one
            for each; by default several together.

        Returns
        -------
        Explanation
            Its frames ``surprise``, ``expected`` and ``probability`` have a row for each record
            and a column for each attribute, in polars or Arrow where X is, else in pandas;
            ``p_value`` is how often the model itself would draw a record that is at most as
            probable, with the same cells missing.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> found = Galileo(random_state=0).fit(table).explain([["a", "x"], ["a", "y"]])
        >>> (found.p_value < 0.05).tolist()
        [False, True]
        >>> print(found.reasons(1)[0])
        x0=a (expected b, 100%)
        """
        return explain.explain(model_of(self), new_table(self, X), sizes)

    def surprise(self, X: Any, sizes: Sequence[int] | None = None) -> Floats:
        """Return how improbable records are under models of several sizes.

        The log density of a record is compared with those of records that the model itself draws,
        with the same cells missing: the surprise is how far below their mean it is, in their
        standard deviations. As in `explain`, nothing is impossible.

        Parameters
        ----------
        X : table
        sizes : sequence of int, optional
            Sizes on the path; by default that of the model itself.

        Returns
        -------
        ndarray of shape (n_rows, number of sizes)
        """
        chosen = [self.n_components_] if sizes is None else sizes
        return explain.surprise(model_of(self), new_table(self, X), chosen)

    def blame(self, X: Any, level: float = 0.05) -> list[list[tuple[str, ...]]]:
        """Return the fewest cells of each record without which it would be usual.

        A record is usual where the model draws one that is at most as probable in more than a share
        ``level`` of all draws, and one with a cell that surprises as much. Where it is not, the
        cells that may be wrong are those that, taken for unknown, leave a usual one. Single cells
        and pairs are tried in all ways, larger sets are made of the cells that help most, one at a
        time.

        Parameters
        ----------
        X : table
            As in `fit`.
        level : float
            Above 0 and at most 0.5.

        Returns
        -------
        list of list of tuple of str
            For each record the smallest sets of columns, the one first that helps most: several
            where any one of them would do, none where the record is usual, or where no
            set of a few cells makes it so.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x", "m"], ["a", "x", "m"], ["b", "y", "n"], ["b", "y", "n"]] * 25
        >>> Galileo(random_state=0).fit(table).blame([["a", "x", "m"], ["a", "y", "m"]])
        [[], [('x1',)]]
        """
        return blame.blame(model_of(self), new_table(self, X), level)
