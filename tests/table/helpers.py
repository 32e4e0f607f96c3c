"""What the tests of tables share."""

from pathlib import Path
from typing import Any

from galileomix._table import Schema, summarise


def schema_of(columns: Any, weights: Any = None, missing: Any = "category", binning: Any = None):
    """Return the schema that a fit would find in columns in memory, with its warnings."""
    summary = summarise(columns, weights, binning=binning)
    summary.warn(missing)
    schema = summary.schema(missing, binning)
    assert isinstance(schema, Schema)
    return schema


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    """Write a file."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
