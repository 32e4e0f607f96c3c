"""The classes of which a checkpoint may hold objects: what a search is, and what passes find."""

from galileomix._model.census import Census
from galileomix._model.champions import Champions, Outline
from galileomix._model.criteria import DensityCriterion, InformationCriterion
from galileomix._model.cuts import Cuts, Halves
from galileomix._model.em import Fit, Stop
from galileomix._model.explore import Exploration
from galileomix._model.fill import Fill
from galileomix._model.grow import Limits
from galileomix._model.kicks import Kicks, Tally
from galileomix._model.outlook import Outlook
from galileomix._model.params import Layout, Mixture
from galileomix._model.recall import Met, Others, Tried
from galileomix._model.refine import Effort, Refinement, Sweep
from galileomix._model.search import InSample, Search
from galileomix._model.search_steps import SearchSteps, Settings
from galileomix._model.split import Split
from galileomix._model.stats import Background, MoveStats, Several, Stats
from galileomix._model.with_prior import WithPrior
from galileomix._table.blocks.block import Block
from galileomix._table.blocks.distinct import Distinct
from galileomix._table.blocks.draw import HashedRows
from galileomix._table.blocks.sample import Weighed

_MIXTURES = (Layout, Mixture, Stats, MoveStats, Several, Background, Census, Fit)
_TABLES = (Block, HashedRows, Weighed, Distinct)
_MOVES = (Cuts, Halves, Split)
_CHOICES = (Stop, Settings, Limits, Effort, InformationCriterion, DensityCriterion)
_SEARCHES = (
    *(Search, SearchSteps, InSample, Outlook),
    *(Champions, Outline, Tried, Met, Others, WithPrior),
    *(Exploration, Fill, Kicks, Tally, Refinement, Sweep),
)
KEPT_TYPES: tuple[type, ...] = (*_MIXTURES, *_TABLES, *_MOVES, *_CHOICES, *_SEARCHES)
