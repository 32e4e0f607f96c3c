"""Any table to blocks of integer codes and standardised numbers.

``read`` a table, ``infer_schema`` from it, ``encode`` it; to predict, ``read``, ``align`` and
``encode`` with the schema that was fitted; to show, ``decode``.
"""

from galileomix.table.align import align
from galileomix.table.column import Columns
from galileomix.table.distinct import collapse
from galileomix.table.encode import BLOCK_ROWS, Block, decode, encode
from galileomix.table.schema import Categorical, Numeric, Schema
from galileomix.table.source import read
from galileomix.table.summary import Summary, infer_schema, summarise
from galileomix.table.weights import check_weights

__all__ = [
    "BLOCK_ROWS",
    "Block",
    "Categorical",
    "Columns",
    "Numeric",
    "Schema",
    "Summary",
    "align",
    "check_weights",
    "collapse",
    "decode",
    "encode",
    "infer_schema",
    "read",
    "summarise",
]
