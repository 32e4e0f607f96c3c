"""Tables to try Galileo on: the four of the paper, and generated ones with a known truth.

Examples
--------
>>> from galileomix import datasets
>>> datasets.load_zoo().data.shape
(101, 17)
"""

from galileomix.datasets._mixed import make_mixed
from galileomix.datasets._published import load_mushroom, load_soybean, load_votes, load_zoo
from galileomix.datasets._rules import make_rules

__all__ = ["load_mushroom", "load_soybean", "load_votes", "load_zoo", "make_mixed", "make_rules"]
