"""A fitted `Galileo` as a notebook shows it: its clusters, and scikit-learn's diagram below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from galileomix._fitted.notebook_html import Column, bar, table
from galileomix._fitted.results import Component
from galileomix._words import counted, shown_times


class NotebookMethods:
    """Shows clusters where scikit-learn shows a diagram.

    scikit-learn's own methods ask ``display`` of its configuration, and call these.
    """

    def _repr_html_inner(self) -> str:
        return self._in_a_notebook()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        parent: Any = super()
        bundle: dict[str, str] = parent._repr_mimebundle_(**kwargs)
        return bundle | {"text/html": self._in_a_notebook()} if "text/html" in bundle else bundle

    def _in_a_notebook(self) -> str:
        estimator: Any = self
        diagram = estimator_html_repr(estimator)
        try:
            check_is_fitted(estimator)
        except NotFittedError:
            return diagram
        found = estimator.components()
        clusters = f"{counted(len(found), 'cluster')} in {estimator.n_records_:,.0f} records"
        return f"<div>{_clusters(found, clusters)}</div>{diagram}"


def _clusters(found: Sequence[Component], caption: str) -> str:
    columns = [
        Column("cluster", False, [component.label for component in found]),
        Column("records", False, [f"{component.size:,.0f}" for component in found]),
        Column("share", False, [f"{component.weight:.1%}" for component in found]),
        Column("", True, [bar(component.weight) for component in found]),
        Column("times as dense", False, [shown_times(c.relative_density) for c in found]),
        Column("name", True, [component.name for component in found]),
        Column("also", True, [component.also for component in found]),
    ]
    return table(caption, columns)
