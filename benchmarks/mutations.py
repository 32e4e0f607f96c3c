"""Model files with something wrong in them: damaged, or forged with the right hash."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from galileomix._storage import container

Mutation = Callable[[bytes, Random], bytes]

SIZES = (0, 1, 7, 2**15, 10**8, 10**8 + 1, 2**31, 2**32, 2**40, 2**53, 2**63, 2**64 - 1)
NUMBERS = (
    *(float("nan"), float("inf"), float("-inf"), 0.0, -0.0, -1.0, 1.0, 2.0, 5e-324, 1e-300),
    *(1e16, 1e150, 1e300, 1.7e308, -1.7e308, 1.0 + 1e-7, 1e-9),
)
HOSTILE = (
    *("null", "true", "false", '""', '"x"', "[]", "{}", "[[]]", '[{"":0}]', "NaN", "-Infinity"),
    *("0", "-0", "-0.0", "-1", "1", "2", "3", "0.5", "1e-320", "1e300", "1e400", "-1e400"),
    *(str(2**31), str(2**53 + 1), str(2**63), str(-(2**63) - 1), str(2**64), str(10**30)),
    *("9" * 400, "9" * 5000, "[" * 60 + "]" * 60, "[" * 3000 + "]" * 3000, "[" * 30_000),
    *('{"a":' * 2000 + "1" + "}" * 2000, '"\\ud800"', '"\\u0000"', '"' + "x" * 100_000 + '"'),
    *('{"$float":"nan"}', '{"$float":"inf"}', '{"$float":"1"}', '{"$float":[]}'),
    *('{"$tuple":[]}', '{"$tuple":1}', '{"$tuple":{"a":1}}', '{"$text":"zz"}', '{"$text":"ff"}'),
    *('{"$text":3}', '{"$items":[]}', '{"$items":[[[],1]]}', '{"$items":[[1,2,3]]}'),
    *('{"$items":[[1,{"$float":"nan"}]]}', '{"$items":1}', '{"$eval":"1"}', '{"$":1}'),
    *('{"$random_state":{}}', '{"$random_state":{"key":[1],"pos":0,"has_gauss":0,"gauss":0}}'),
    *(
        '["a","b"]',
        "[1,2]",
        "[-1]",
        '["auto"]',
        '"auto"',
        '"bic"',
        '{"age":[2,1]}',
        '{"0":"width"}',
    ),
)
"""Texts to put in the place of a value in JSON; some are no JSON at all."""


def changed(data: bytes, rng: Random) -> bytes:
    """Change a few bytes."""
    result = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        result[rng.randrange(len(result))] = rng.randrange(256)
    return bytes(result)


def deleted(data: bytes, rng: Random) -> bytes:
    """Leave out a range."""
    first, last = _range(data, rng)
    return data[:first] + data[last:]


def duplicated(data: bytes, rng: Random) -> bytes:
    """Repeat a range where it stands."""
    first, last = _range(data, rng)
    return data[:last] + data[first:]


def swapped(data: bytes, rng: Random) -> bytes:
    """Exchange two ranges that stand one after the other."""
    first, last = _range(data, rng)
    middle = rng.randint(first, last)
    return data[:first] + data[middle:last] + data[first:middle] + data[last:]


def zeroed(data: bytes, rng: Random) -> bytes:
    """Fill a range with zeros, as a lost page of a disk would be."""
    first, last = _range(data, rng)
    return data[:first] + bytes(last - first) + data[last:]


def truncated(data: bytes, rng: Random) -> bytes:
    """Keep only the beginning."""
    return data[: rng.randrange(len(data))]


def inserted(data: bytes, rng: Random) -> bytes:
    """Put random bytes somewhere."""
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.randint(1, 64)) + data[at:]


def resized(data: bytes, rng: Random) -> bytes:
    """Claim another length of the header."""
    near = int.from_bytes(data[:8], "little") + rng.randint(-9, 9)
    return rng.choice([*SIZES, near, len(data) - 8, len(data)]).to_bytes(8, "little") + data[8:]


DAMAGE: dict[str, Mutation] = {
    "bytes changed": changed,
    "range left out": deleted,
    "range twice": duplicated,
    "ranges exchanged": swapped,
    "range of zeros": zeroed,
    "cut short": truncated,
    "bytes put in": inserted,
    "length of the header": resized,
}
"""What may happen to a file; the hash is not made right again."""


def signed(data: bytes) -> bytes:
    """Return a file with the right hash."""
    if len(data) < container.HASH.stop:
        return data
    result = bytearray(data)
    result[container.HASH] = container._hash(result)
    return bytes(result)


def signed_damage(data: bytes, rng: Random) -> bytes:
    """Do any damage, and make the hash right."""
    return signed(rng.choice(list(DAMAGE.values()))(data, rng))


def other_number(data: bytes, rng: Random) -> bytes:
    """Put another number in an array."""
    first = 8 + int.from_bytes(data[:8], "little")
    at = first + 8 * rng.randrange((len(data) - first) // 8)
    (before,) = struct.unpack_from("<d", data, at)
    number = rng.choice([*NUMBERS, -before, before * (1 + 1e-12), before * 1.01])
    return signed(data[:at] + struct.pack("<d", number) + data[at + 8 :])


def other_value(data: bytes, rng: Random) -> bytes:
    """Put something hostile, or another value of the manifest, in the place of a value."""
    manifest, tensors, rest = parts(data)
    place, key = rng.choice(_places(manifest)[1:])  # but for the hash
    other, name = rng.choice(_places(manifest))
    text = rng.choice([*HOSTILE, json.dumps(other[name])])
    place[key] = MARK
    return joined(manifest, tensors, rest, text)


def other_keys(data: bytes, rng: Random) -> bytes:
    """Leave out, rename or add something in the manifest."""
    manifest, tensors, rest = parts(data)
    place, key = rng.choice(_places(manifest)[1:])
    value = place.pop(key)
    if isinstance(place, list):
        place += [value] * rng.choice([0, 2, 50])
    elif rng.random() < 0.5:
        place[rng.choice(["", "x", "$tuple", "k", f"{key} "])] = value
    return joined(manifest, tensors, rest)


def other_array(data: bytes, rng: Random) -> bytes:
    """Say something else of an array: its name, type, shape, or where it lies."""
    manifest, tensors, rest = parts(data)
    name = rng.choice(list(tensors))
    if rng.random() < 0.2:
        renamed = rng.choice(["", "x", "values", "extra.n_passes_", "k.9.p", *tensors])
        tensors[renamed] = tensors.pop(name)
        return joined(manifest, tensors, rest)
    place, key = rng.choice(_places(tensors[name]))
    kinds = ['"F32"', '"I64"', '"U8"', '"BOOL"', '"F64"', '"F4"', str(2**61), "[8,0]", "[0,8]"]
    place[key] = MARK
    return joined(manifest, tensors, rest, rng.choice([*kinds, *HOSTILE]))


FORGERY: dict[str, Mutation] = {
    "any of these": signed_damage,
    "a number of an array": other_number,
    "a value of the manifest": other_value,
    "a name in the manifest": other_keys,
    "type, shape or place of an array": other_array,
}
"""What a liar may write: the hash is right, so that only the checks behind it can tell."""

MARK = "@ the other value @"
"""Stands where a text comes that need not be JSON."""


def parts(data: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """Return the manifest, the description of the arrays, and the bytes of the arrays."""
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    manifest = json.loads(header.pop("__metadata__")["galileomix"])
    return manifest, header, data[end:]


def joined(manifest: Any, tensors: Any, rest: bytes, text: str = "null") -> bytes:
    """Return a file, with the right hash, and a text in the place of the mark."""
    metadata = _json({"galileomix": _json(manifest).replace(_json(MARK), text)})
    described = _json(tensors).replace(_json(MARK), text)
    between = "," if tensors else ""
    header = f'{{"__metadata__":{metadata}{between}{described[1:]}'.encode()
    header += b" " * (-len(header) % 8)
    return signed(len(header).to_bytes(8, "little") + header + rest)


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Return every place in nested lists and dictionaries, as what holds it and its key."""
    return list(_walk(data))


def _walk(data: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(data) if isinstance(data, dict) else range(len(data))
    for key in keys:
        yield data, key
        if isinstance(data[key], dict | list):
            yield from _walk(data[key])


def _range(data: bytes, rng: Random) -> tuple[int, int]:
    """Return where a range begins and ends: short or long, on an even place or not."""
    size = min(len(data), rng.choice([1, 2, 7, 8, 64, 512, rng.randint(1, len(data))]))
    first = rng.randint(0, len(data) - size)
    return first, first + size
