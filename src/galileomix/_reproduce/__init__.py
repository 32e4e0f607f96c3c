"""Every table and figure of the paper's results, ours beside theirs.

Each module of `items` has `compute(plan)`, which returns an `Item`; `item_text` and `item_figure`
show items. The paper's numbers are in `paper`.

Examples
--------
>>> from galileomix._reproduce import Plan, compute
>>> item = compute("density-examples", Plan())
>>> item.claims[0].paper, round(item.claims[0].ours, 2), str(item.verdict)
(3.51, 3.51, 'reproduced')
"""

from __future__ import annotations

from importlib import import_module

from galileomix._reproduce.item import Item, Plan

__all__ = ["NAMES", "Item", "Plan", "compute"]

MODULES = {
    "density-examples": "density_examples",
    "votes": "votes",
    "mushroom": "mushroom",
    "summary": "four_tables",
    "criteria": "criteria_figure",
    "pruning": "pruning",
    "k-max": "k_max",
    "scaling": "scaling",
}
"""The items, in the order of the page, and the modules that compute them."""
NAMES = tuple(MODULES)


def compute(name: str, plan: Plan) -> Item:
    """Compute the item of that name, one of ``NAMES``."""
    return import_module(f"galileomix._reproduce.items.{MODULES[name]}").compute(plan)
