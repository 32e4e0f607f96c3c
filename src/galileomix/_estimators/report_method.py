"""The report of a fitted `Galileo`, or of the one that a classifier has."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._table import refuse_once

if TYPE_CHECKING:
    from galileomix._report import Classes, Report


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
        return report_of(self, X, name)


def report_of(estimator: Any, X: Any, name: str, target: str = "") -> Report:
    """Return the report of an estimator; `target` is the column of a classifier's classes."""
    from galileomix._report import Origin, make_report

    check_is_fitted(estimator)
    mixture = getattr(estimator, "model_", estimator)
    if X is not None:
        refuse_once(X)
    usual = inspect.signature(type(mixture)).parameters
    defaults = {name: parameter.default for name, parameter in usual.items()}
    origin = Origin(name, mixture.get_params(deep=False), defaults, _classes(estimator, target))
    return make_report(model_of(mixture), None if X is None else new_table(mixture, X), origin)


def _classes(estimator: Any, target: str) -> Classes | None:
    from galileomix._report import Classes

    if not is_classifier(estimator):
        return None
    names = tuple(map(str, estimator.classes_.tolist()))
    return Classes(names, estimator.class_probabilities_, target)
