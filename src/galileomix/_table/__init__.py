"""Any table to blocks of integer codes and standardised numbers.

To fit, ``open_table`` and ``prepare``; to predict, ``open_table``, ``align`` and
``over_rows`` with the schema that was fitted; to show, ``decode``. For a table in memory these
are ``read``, ``summarise`` and ``encode``. The rest of the package imports from here alone.
"""

from galileomix._table.attribute import OTHER, Attribute, Binned, Categorical, Numeric, Ordered
from galileomix._table.blocks.block import BLOCK_ROWS, Block, concatenate, in_blocks
from galileomix._table.blocks.distinct import collapse
from galileomix._table.blocks.draw import draw, hash_rows
from galileomix._table.blocks.fingerprint import listed_fingerprint
from galileomix._table.blocks.memory import bytes_of
from galileomix._table.blocks.sample import sample
from galileomix._table.blocks.store import PackedBlocks, store
from galileomix._table.column import (
    LARGEST_NUMBER,
    CategoryColumn,
    Codes,
    Column,
    Columns,
    NumberColumn,
    TextColumn,
    cells,
    narrowest,
    slices,
)
from galileomix._table.encode.apply_schema import align, encoded_blocks, over_rows, rows_and_blocks
from galileomix._table.encode.column_encoder import Unseen
from galileomix._table.encode.encoder import decode, decode_column, encode
from galileomix._table.encode.lookup import Lookup
from galileomix._table.encode.moments import as_written_numbers
from galileomix._table.encode.prepare import (
    Prepared,
    Rules,
    prepare,
    scanned_parts,
    schema_of,
)
from galileomix._table.encode.typed import typed
from galileomix._table.folder import Folder, remove_folders
from galileomix._table.infer.bins import Discretize, binning_of
from galileomix._table.infer.make_attribute import AttributeRules
from galileomix._table.infer.scan import Weights, scan_once, weights_of
from galileomix._table.infer.summary import Summary, summarise
from galileomix._table.read.chunk import Chunk, Source, no_rows, placed
from galileomix._table.read.convert import text_column
from galileomix._table.read.csv_dialect import Csv
from galileomix._table.read.csv_file import CsvFile
from galileomix._table.read.dask_source import DaskSource, is_dask
from galileomix._table.read.declared_types import (
    CategoricalChoice,
    NumericChoice,
    OrderedChoice,
    TypeChoices,
)
from galileomix._table.read.file_formats import suffix_by_contents
from galileomix._table.read.missing_values import MissingValues
from galileomix._table.read.open_table import open_table, read, refuse_once, warn_of_notes
from galileomix._table.read.reported_chunks import chunks_reported
from galileomix._table.read.sources import BatchSource, FileSource, HeldSource
from galileomix._table.read.spark_source import (
    SparkSource,
    Stretch,
    is_spark,
    joined_batches,
    positional,
    quoted,
    runs,
    tagged,
    this_partition,
    untagged,
    weights_in,
)
from galileomix._table.read.urls import is_url, located
from galileomix._table.schema import ColumnType, Missing, Place, Schema, check_missing
from galileomix._table.text.missing_text import SYMBOLS
from galileomix._table.text.text_evidence import TextEvidence
from galileomix._table.text.text_format import TextFormat
from galileomix._table.transform import Transform
from galileomix._table.weights import check_weights, no_weight, usable_weights

__all__ = [
    "BLOCK_ROWS",
    "LARGEST_NUMBER",
    "OTHER",
    "SYMBOLS",
    "Attribute",
    "AttributeRules",
    "BatchSource",
    "Binned",
    "Block",
    "Categorical",
    "CategoricalChoice",
    "CategoryColumn",
    "Chunk",
    "Codes",
    "Column",
    "ColumnType",
    "Columns",
    "Csv",
    "CsvFile",
    "DaskSource",
    "Discretize",
    "FileSource",
    "Folder",
    "HeldSource",
    "Lookup",
    "Missing",
    "MissingValues",
    "NumberColumn",
    "Numeric",
    "NumericChoice",
    "Ordered",
    "OrderedChoice",
    "PackedBlocks",
    "Place",
    "Prepared",
    "Rules",
    "Schema",
    "Source",
    "SparkSource",
    "Stretch",
    "Summary",
    "TextColumn",
    "TextEvidence",
    "TextFormat",
    "Transform",
    "TypeChoices",
    "Unseen",
    "Weights",
    "align",
    "as_written_numbers",
    "binning_of",
    "bytes_of",
    "cells",
    "check_missing",
    "check_weights",
    "chunks_reported",
    "collapse",
    "concatenate",
    "decode",
    "decode_column",
    "draw",
    "encode",
    "encoded_blocks",
    "hash_rows",
    "in_blocks",
    "is_dask",
    "is_spark",
    "is_url",
    "joined_batches",
    "listed_fingerprint",
    "located",
    "narrowest",
    "no_rows",
    "no_weight",
    "open_table",
    "over_rows",
    "placed",
    "positional",
    "prepare",
    "quoted",
    "read",
    "refuse_once",
    "remove_folders",
    "rows_and_blocks",
    "runs",
    "sample",
    "scan_once",
    "scanned_parts",
    "schema_of",
    "slices",
    "store",
    "suffix_by_contents",
    "summarise",
    "tagged",
    "text_column",
    "this_partition",
    "typed",
    "untagged",
    "usable_weights",
    "warn_of_notes",
    "weights_in",
    "weights_of",
]
