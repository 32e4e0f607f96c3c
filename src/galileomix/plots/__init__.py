"""Plots of a fitted model, by matplotlib (the extra ``plot``).

Every function takes ``ax`` and returns the axes it drew on. Labels and legends lie beside the axes:
a figure of several has room for them with ``pyplot.subplots(2, 2, layout="constrained")``. The
methods of `Galileo` of the same names (``plot_path``, ``plot_profile``, ...) call these.
"""

from galileomix.plots._attribute_plot import attribute
from galileomix.plots._attributes_plot import attributes
from galileomix.plots._certainty_plot import certainty
from galileomix.plots._cluster_plot import cluster
from galileomix.plots._dependence_plot import dependence
from galileomix.plots._path_plot import path
from galileomix.plots._profile_plot import profile
from galileomix.plots._search_plot import search
from galileomix.plots._sizes_plot import sizes
from galileomix.plots._stability_plot import stability
from galileomix.plots._surprise_plot import surprise

__all__ = [
    "attribute",
    "attributes",
    "certainty",
    "cluster",
    "dependence",
    "path",
    "profile",
    "search",
    "sizes",
    "stability",
    "surprise",
]
