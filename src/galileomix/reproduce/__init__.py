"""Every table and figure of the paper's results, ours beside theirs.

Each item is a module with `compute(plan)`, which returns a record; `text` and `figure` show
records. The paper's numbers are in `paper`.

Examples
--------
>>> from galileomix.reproduce import Plan, compute
>>> item = compute("density-examples", Plan())
>>> item.claims[0].paper, round(item.claims[0].ours, 2), str(item.verdict)
(3.51, 3.51, 'reproduced')
"""

from __future__ import annotations

from importlib import import_module

from galileomix.reproduce.record import Item, Plan

__all__ = ["NAMES", "Item", "Plan", "compute"]

NAMES = (
    *("density-examples", "votes", "mushroom", "summary"),
    *("criteria", "pruning", "k-max", "scaling"),
)
"""The items, in the order of the page."""


def compute(name: str, plan: Plan) -> Item:
    """Compute one item.

    Parameters
    ----------
    name : str
        One of ``NAMES``.
    plan : Plan
        How much work to do.

    Returns
    -------
    Item
    """
    module = import_module(f"galileomix.reproduce.{name.replace('-', '_')}")
    return module.compute(plan)
