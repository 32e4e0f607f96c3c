"""Any table to blocks of integer codes and standardised numbers.

To fit, ``open_table`` and ``prepare``; to predict, ``open_table``, ``align`` and
``over_rows`` with the schema that was fitted; to show, ``decode``. For a table in memory these
are ``read``, ``infer_schema`` and ``encode``.
"""

from galileomix.table.align import align
from galileomix.table.alongside import alongside, cells
from galileomix.table.bins import binning_of
from galileomix.table.chunk import Source
from galileomix.table.column import Columns
from galileomix.table.csv_dialect import Csv
from galileomix.table.distinct import collapse
from galileomix.table.encode import BLOCK_ROWS, Block, decode, encode
from galileomix.table.folder import Folder
from galileomix.table.prepare import over_rows, prepare
from galileomix.table.schema import Binned, Categorical, Numeric, Schema
from galileomix.table.source import open_table, read, refuse_once
from galileomix.table.store import bytes_of
from galileomix.table.summary import Summary, infer_schema, summarise
from galileomix.table.weights import check_weights

__all__ = [
    "BLOCK_ROWS",
    "Binned",
    "Block",
    "Categorical",
    "Columns",
    "Csv",
    "Folder",
    "Numeric",
    "Schema",
    "Source",
    "Summary",
    "align",
    "alongside",
    "binning_of",
    "bytes_of",
    "cells",
    "check_weights",
    "collapse",
    "decode",
    "encode",
    "infer_schema",
    "open_table",
    "over_rows",
    "prepare",
    "read",
    "refuse_once",
    "summarise",
]
