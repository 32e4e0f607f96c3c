"""The report of a fitted `Galileo`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._table import refuse_once

if TYPE_CHECKING:
    from galileomix._report import Report


class ReportMethod:
    """`report`."""

    def report(self, X: Any = None, *, name: str = "") -> Report:
        """Return a page that shows the clusters, and the rows of a table where one is given.

        The page is one file that needs no network. It has a map of the clusters, how every number
        of clusters scores, with the mixtures of other numbers to choose, the clusters as cards,
        two of them side by side, the columns, data quality, and how the model was made.

        Parameters
        ----------
        X : table, optional
            The table that was fitted, or another one with its columns, as in `fit`, but for
            iterators: it is read more than once. With it the page has typical records of every
            cluster, and those that stand out or are least usual, with the cells to blame.
        name : str, default=""
            What the table is called on the page.

        Returns
        -------
        Report
            ``save(path)`` writes the page; ``html`` is its text; in a notebook it shows itself.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> page = Galileo(random_state=0).fit(table).report(table, name="letters")
        >>> "2 clusters in 100 records of 2 columns" in page.html
        True
        """
        from galileomix._report import Origin, make_report

        estimator: Any = self
        model = model_of(self)
        if X is not None:
            refuse_once(X)
        usual = inspect.signature(type(self)).parameters
        defaults = {name: parameter.default for name, parameter in usual.items()}
        origin = Origin(name, estimator.get_params(deep=False), defaults)
        return make_report(model, None if X is None else new_table(self, X), origin)
