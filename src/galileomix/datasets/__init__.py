"""Tables to try Galileo on: the four of the paper, and generated ones with a known truth.

Examples
--------
>>> from galileomix import datasets
>>> datasets.load_zoo().data.shape
(101, 17)
"""

from galileomix.datasets.mixed import make_mixed
from galileomix.datasets.rules import make_rules
from galileomix.datasets.tables import load_mushroom, load_soybean, load_votes, load_zoo

__all__ = ["load_mushroom", "load_soybean", "load_votes", "load_zoo", "make_mixed", "make_rules"]
