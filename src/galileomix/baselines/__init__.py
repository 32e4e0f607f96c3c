"""The systems that Galileo is compared with, as scikit-learn clusterers.

`Rock`, `Coolcat`, `KModes` and `CentroidLinkage` are written here, after their papers; `rivals`
lists these and what other libraries do well, all called alike.

Examples
--------
>>> from galileomix.baselines import Coolcat, Rock
>>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]]
>>> Coolcat(2).fit_predict(table).tolist(), Rock(2).fit_predict(table * 2).tolist()
([0, 0, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1])
"""

from galileomix.baselines._centroid_linkage import CentroidLinkage
from galileomix.baselines._coolcat import Coolcat
from galileomix.baselines._kmodes import KModes
from galileomix.baselines._rivals import PACKAGES, Rival, rivals
from galileomix.baselines._rock import Rock

__all__ = ["PACKAGES", "CentroidLinkage", "Coolcat", "KModes", "Rival", "Rock", "rivals"]
