"""Any table to blocks of integer codes and standardised numbers.

To fit, ``open_table`` and ``prepare``; to predict, ``open_table``, ``align`` and
``over_rows`` with the schema that was fitted; to show, ``decode``. For a table in memory these
are ``read``, ``summarise`` and ``encode``. The rest of the package imports from here alone.
"""

from galileomix._table.column import (
    LARGEST_NUMBER,
    CategoryColumn,
    Codes,
    Column,
    Columns,
    NumberColumn,
    narrowest,
)
from galileomix._table.encode.align import align
from galileomix._table.encode.alongside import alongside, cells
from galileomix._table.encode.distinct import collapse
from galileomix._table.encode.draw import draw, hash_rows
from galileomix._table.encode.encoder import BLOCK_ROWS, Block, decode, encode, in_blocks
from galileomix._table.encode.folder import Folder
from galileomix._table.encode.lookup import Lookup
from galileomix._table.encode.prepare import Prepared, Rules, known_blocks, over_rows, prepare
from galileomix._table.encode.recode import Unseen
from galileomix._table.encode.store import PackedBlocks, bytes_of, store
from galileomix._table.encode.weights import check_weights
from galileomix._table.infer.almost_numbers import NUMBER as NUMBER_PATTERN
from galileomix._table.infer.bins import Discretize, binning_of
from galileomix._table.infer.summary import Summary, infer_schema, summarise
from galileomix._table.read.chunk import Chunk, Source
from galileomix._table.read.csv_dialect import Csv
from galileomix._table.read.progress import Reading
from galileomix._table.read.source import open_table, read, refuse_once
from galileomix._table.read.table_files import PARQUET_MARK
from galileomix._table.schema import (
    Attribute,
    Binned,
    Categorical,
    Missing,
    Numeric,
    Schema,
    check_missing,
)

__all__ = [
    "BLOCK_ROWS",
    "LARGEST_NUMBER",
    "NUMBER_PATTERN",
    "PARQUET_MARK",
    "Attribute",
    "Binned",
    "Block",
    "Categorical",
    "CategoryColumn",
    "Chunk",
    "Codes",
    "Column",
    "Columns",
    "Csv",
    "Discretize",
    "Folder",
    "Lookup",
    "Missing",
    "NumberColumn",
    "Numeric",
    "PackedBlocks",
    "Prepared",
    "Reading",
    "Rules",
    "Schema",
    "Source",
    "Summary",
    "Unseen",
    "align",
    "alongside",
    "binning_of",
    "bytes_of",
    "cells",
    "check_missing",
    "check_weights",
    "collapse",
    "decode",
    "draw",
    "encode",
    "hash_rows",
    "in_blocks",
    "infer_schema",
    "known_blocks",
    "narrowest",
    "open_table",
    "over_rows",
    "prepare",
    "read",
    "refuse_once",
    "store",
    "summarise",
]
