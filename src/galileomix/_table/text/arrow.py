"""Arrow's functions on text, as they are used here."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute

SPACES = " \t"


def trimmed(texts: Any) -> Any:
    """Return an Arrow array of text without the spaces around each."""
    return compute.utf8_trim(texts, SPACES)


def matches(texts: Any, pattern: str) -> NDArray[np.bool_]:
    """Return which texts match a regular expression."""
    return compute.match_substring_regex(texts, pattern).to_numpy(zero_copy_only=False)


def groups(texts: Any, pattern: str) -> dict[str, Any]:
    """Return the named groups of a regular expression, an Arrow array of texts for each.

    Null where a text does not match, "" where the group is not in it.
    """
    found = compute.extract_regex(texts, pattern)
    missing = compute.is_null(found)
    names = [field.name for field in found.type]
    null = pa.scalar(None, texts.type)
    return {name: compute.if_else(missing, null, found.field(name)) for name in names}


def python_pattern(pattern: str) -> re.Pattern[str]:
    """Return a pattern of Arrow's as one of Python's: they write characters otherwise."""
    return re.compile(re.sub(r"\\x\{([0-9a-f]+)\}", _character, pattern))


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


def cast(texts: Any, arrow_type: Any) -> Any:
    """Return texts as another type; None where one of them is not that."""
    try:
        return texts.cast(arrow_type)
    except pa.ArrowInvalid:
        return None
