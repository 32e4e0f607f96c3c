"""Any table to blocks of integer codes and standardised numbers.

To fit, ``open_table`` and ``prepare``; to predict, ``open_table``, ``align`` and
``over_rows`` with the schema that was fitted; to show, ``decode``. For a table in memory these
are ``read``, ``infer_schema`` and ``encode``.
"""

from galileomix._table.column import Columns
from galileomix._table.encode.align import align
from galileomix._table.encode.alongside import alongside, cells
from galileomix._table.encode.distinct import collapse
from galileomix._table.encode.encoder import BLOCK_ROWS, Block, decode, encode
from galileomix._table.encode.folder import Folder
from galileomix._table.encode.prepare import over_rows, prepare
from galileomix._table.encode.store import bytes_of
from galileomix._table.encode.weights import check_weights
from galileomix._table.infer.bins import binning_of
from galileomix._table.infer.summary import Summary, infer_schema, summarise
from galileomix._table.read.chunk import Source
from galileomix._table.read.csv_dialect import Csv
from galileomix._table.read.source import open_table, read, refuse_once
from galileomix._table.schema import Binned, Categorical, Numeric, Schema

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
