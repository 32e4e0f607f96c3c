"""What a user may set and what a cell may hold, as what JSON can hold, and back to the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from galileomix.errors import ModelFileError

MARK = "$"
"""Begins the one key of a dictionary that stands for something JSON has no word for."""


def encode(value: Any) -> Any:
    """Return a value as what JSON can hold.

    Text, whole numbers, finite numbers, truth values, None, lists and dictionaries stay what they
    are; a float keeps its type and all its digits. Numpy's scalars and arrays become Python's.

    Examples
    --------
    >>> encode(("quantile", np.int64(5)))
    {'$tuple': ['quantile', 5]}
    >>> decode(encode([1, 1.0, True, None, float("inf")]))
    [1, 1.0, True, None, inf]
    """
    if isinstance(value, np.generic | np.ndarray):
        return encode(value.tolist())
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": repr(value)}
    if isinstance(value, str):
        return _encode_text(value)
    if isinstance(value, np.random.RandomState):
        return {"$random_state": _encode_state(value)}
    if isinstance(value, Mapping):
        return _encode_items(cast("Mapping[Any, Any]", value))
    if isinstance(value, tuple):
        return {"$tuple": [encode(item) for item in cast("tuple[Any, ...]", value)]}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [encode(item) for item in cast("Sequence[Any]", value)]
    raise ModelFileError(f"{value!r} cannot be saved in a model file")


def decode(value: Any) -> Any:
    """Return the value that `encode` wrote."""
    if isinstance(value, list):
        return [decode(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    items = cast("dict[str, Any]", value)
    if not any(key.startswith(MARK) for key in items):
        return {key: decode(item) for key, item in items.items()}
    mark, held = next(iter(items.items()))
    match mark if len(items) == 1 else None:
        case "$tuple":
            return tuple(decode(item) for item in held)
        case "$float":
            return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[held]
        case "$text":
            return bytes.fromhex(held).decode("utf-8", "surrogatepass")
        case "$items":
            return {decode(key): decode(item) for key, item in held}
        case "$random_state":
            return _decode_state(held)
        case _:
            raise ModelFileError(f"it holds a value of unknown type, {', '.join(items)[:60]!r}")


def _encode_text(value: str) -> Any:
    """Return text; as bytes where it has halves of characters, which JSON might join."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"$text": value.encode("utf-8", "surrogatepass").hex()}
    return str.__str__(value)


def _encode_items(value: Mapping[Any, Any]) -> Any:
    pairs = [(encode(key), encode(item)) for key, item in value.items()]
    if all(isinstance(key, str) and not key.startswith(MARK) for key, _ in pairs):
        return dict(pairs)
    return {"$items": [[key, item] for key, item in pairs]}


def _encode_state(value: np.random.RandomState) -> Any:
    state: Any = value.get_state(legacy=False)
    if state["bit_generator"] != "MT19937":
        raise ModelFileError(
            f"random numbers by {state['bit_generator']} cannot be saved in a file"
        )
    inner = state["state"]
    counters = {"pos": inner["pos"], "has_gauss": state["has_gauss"], "gauss": state["gauss"]}
    return encode({"key": inner["key"], **counters})


def _decode_state(held: Any) -> np.random.RandomState:
    key, pos, has_gauss = np.array(held["key"], np.uint32), held["pos"], held["has_gauss"]
    whole = isinstance(pos, int) and 0 <= pos <= 624 and has_gauss in (0, 1)
    if key.shape != (624,) or not whole:
        raise ModelFileError("it holds no state of a random number generator")
    random = np.random.RandomState()
    random.set_state(("MT19937", key, pos, has_gauss, float(held["gauss"])))
    return random
