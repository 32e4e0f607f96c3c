"""The bytes of a model file: safetensors, with a manifest and one SHA-256 over everything.

The header begins with the hash, at a place that is the same in every file and every version of
the format. It is the hash of the whole file with zeros in its own place, so no bit of the file is
left out, and it is checked before anything in the file is believed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from galileomix.errors import ModelFileError

Arrays = dict[str, NDArray[Any]]

FORMAT_VERSION = 3
"""Of the second are files that say how columns were taken and what is done to numbers; of the third
those that say which sizes predict together."""
MOST_HEADER = 100_000_000
"""Bytes that a safetensors header may have."""
MANY_VALUES = 10_000
"""Categories of a table beyond which they stand in an array of their own, not in the header."""

PREFIX = rb'{"__metadata__":{"galileomix":"{\"sha256\":\"'
START = 8 + len(PREFIX)
HASH = slice(START, START + 64)
ZEROS = b"0" * 64
DTYPES: dict[str, str] = {"F64": "<f8", "I64": "<i8", "U8": "|u1"}


def pack(manifest: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytearray:
    """Return the bytes of a file."""
    rest, tensors = _without_values(manifest)
    for name, array in arrays.items():
        dtype = {"f": "<f8", "i": "<i8", "u": "<i8", "b": "<i8"}.get(array.dtype.kind)
        if dtype is None:
            raise ModelFileError(f"{name}: {array.dtype} cannot be saved in a model file")
        tensors[name] = np.ascontiguousarray(array, dtype=dtype)
    text = _json({"sha256": ZEROS.decode(), **rest})
    data = bytearray(save(tensors, {"galileomix": text}))
    if int.from_bytes(data[:8], "little") > MOST_HEADER or not data.startswith(PREFIX, 8):
        raise ModelFileError("its columns are too many for a model file")
    data[HASH] = _hash(data)
    return data


def check_opening(opening: bytes, size: int) -> None:
    """Say what a file is that does not begin as a model; `opening` is its first bytes."""
    if not size:
        raise ModelFileError("the file is empty")
    if opening[:2] == b"PK":
        raise ModelFileError("this is a zip archive, not a Galileo model")
    if opening[:1] == b"\x80" and opening[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise ModelFileError(
            "this is a pickle, not a Galileo model; it could run code and is refused"
        )
    length = int.from_bytes(opening[:8], "little")
    if opening[8:START] == PREFIX:
        if length > min(size - 8, MOST_HEADER):
            raise ModelFileError(
                f"the file is cut short or damaged: it has {size} bytes, and a header of {length}"
            )
    elif opening[8:9] == b"{" and length <= size - 8:
        raise ModelFileError("this is a safetensors file, but not a Galileo model, or damaged")
    else:
        raise ModelFileError("this is not a Galileo model, or damaged from its first bytes on")


def unpack(data: bytes) -> tuple[dict[str, Any], Arrays]:
    """Return the manifest and the arrays of a file, once its hash has been found to be right."""
    check_opening(data[: HASH.stop], len(data))
    if data[HASH] != _hash(data):
        raise ModelFileError("the file is cut short or damaged: its SHA-256 is not the one in it")
    try:
        length = int.from_bytes(data[:8], "little")
        header = _parsed(data[8 : 8 + length])
        manifest = _parsed(header["__metadata__"]["galileomix"])
        check_version(manifest)
        arrays = {name: _array(name, tensor) for name, tensor in deserialize(data)}
        return _with_values(manifest, arrays), arrays
    except ModelFileError:
        raise
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ModelFileError(f"it holds no model: {error}") from error


def check_version(manifest: Mapping[str, Any]) -> None:
    """Refuse a format that this version does not know."""
    version = manifest.get("format_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelFileError(f"its format version is {version!r}, not a number from 1 on")
    if version > FORMAT_VERSION:
        writer = manifest.get("galileomix_version")
        raise ModelFileError(
            f"it is of format {version}, written by galileomix {writer}; this version reads "
            f"formats up to {FORMAT_VERSION}: install a newer galileomix"
        )


def _hash(data: bytes | bytearray) -> bytes:
    """Return the hash of everything but the hash, in hexadecimal digits."""
    view = memoryview(data)
    whole = hashlib.sha256(view[: HASH.start])
    whole.update(ZEROS)
    whole.update(view[HASH.stop :])
    return whole.hexdigest().encode()


def _array(name: str, tensor: Mapping[str, Any]) -> NDArray[Any]:
    if tensor["dtype"] not in DTYPES:
        raise ModelFileError(f"{name} is of the unknown type {tensor['dtype']}")
    flat = np.frombuffer(tensor["data"], dtype=DTYPES[tensor["dtype"]])
    return flat.reshape(tensor["shape"]).copy()


def _without_values(manifest: Mapping[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Take very many categories out of the manifest: headers are not made for them."""
    schema: dict[str, Any] = manifest.get("schema", {"attributes": []})
    values = [attribute.get("values", []) for attribute in schema["attributes"]]
    if sum(map(len, values)) <= MANY_VALUES:
        return dict(manifest), {}
    attributes = [
        {name: item for name, item in attribute.items() if name != "values"}
        for attribute in schema["attributes"]
    ]
    tensor = np.frombuffer(_json(values).encode(), dtype=np.uint8)
    return {**manifest, "schema": {**schema, "attributes": attributes}}, {"values": tensor}


def _with_values(manifest: dict[str, Any], arrays: Arrays) -> dict[str, Any]:
    if "values" not in arrays:
        return manifest
    attributes = cast("list[dict[str, Any]]", manifest["schema"]["attributes"])
    lists = cast("list[Any]", json.loads(arrays.pop("values").tobytes(), parse_constant=_refuse))
    for attribute, values in zip(attributes, lists, strict=True):
        if attribute["kind"] != "numeric":
            attribute["values"] = values
    return manifest


def _json(data: Any) -> str:
    try:
        return json.dumps(data, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"the model cannot be saved in a file: {error}") from error


def _parsed(text: str | bytes) -> dict[str, Any]:
    parsed = json.loads(text, parse_constant=_refuse)
    if not isinstance(parsed, dict):
        raise ModelFileError("its manifest is no dictionary")
    return cast("dict[str, Any]", parsed)


def _refuse(constant: str) -> Any:
    raise ModelFileError(f"its manifest holds {constant}, which is no number")
