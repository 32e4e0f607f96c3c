"""Random damage and forgeries of model files: refused in one line, or models that work."""

from __future__ import annotations

import atexit
import json
import tempfile
import tracemalloc
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.fuzz.answers import answers_about
from benchmarks.mutations import DAMAGE, FORGERY, Mutation, joined, parts, signed
from benchmarks.ordeals import ALWAYS, PER_BYTE, limited, unsound
from galileomix import (
    Galileo,
    GalileoClassifier,
    GalileoDetector,
    GalileoImputer,
    ModelFileError,
    load,
)

NAMES = ("", "x", "k.1.p", "../../x", "/dev/full", "__metadata__", "a\0b", "extra.x", "k.-1.p")
SHAPES = ("[0]", "[0,2305843009213693952]", "[4294967296,4294967296]", "[-1,-1]", "[1,1,1,1]", "[]")
DEEP = 4
"""Of so many models that load one is saved again and asked everything; all for probabilities."""


def verdict_of_model(seed: int, number: int) -> tuple[str, list[str]]:
    """Return "refused" or "loaded", and what is wrong."""
    rng = Random(f"model {seed} {number}")
    data = drawn_model(rng)
    path = _folder() / "m.galileo"
    path.write_bytes(data)
    with warnings.catch_warnings(), limited():
        warnings.simplefilter("ignore")
        model, wrong = _loaded(path)
        if model is not None:
            wrong += _wrong(model, rng.randrange(DEEP) == 0)
        return "refused" if model is None else "loaded", wrong


def _loaded(path: Path) -> tuple[Any, list[str]]:
    """Return the model of a file, none where it is refused, and what is wrong with how."""
    allowed = PER_BYTE * path.stat().st_size + ALWAYS
    model, wrong, peak = _measured(path)
    if peak > allowed:
        *_, peak = _measured(path)  # a table of Python's own may have grown meanwhile
    if peak > allowed:
        wrong.append(f"loading takes {peak} bytes, {allowed} are allowed")
    return model, wrong


def _measured(path: Path) -> tuple[Any, list[str], int]:
    """Return the model of a file, what is wrong, and the memory that loading takes."""
    tracemalloc.start()
    try:
        model, wrong = load(path), list[str]()
    except ModelFileError as error:
        model, wrong = None, list(_unclear(str(error), path))
    except Exception as error:
        model, wrong = None, [f"load: {type(error).__name__}: {error}"[:200]]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return model, wrong, peak


def drawn_model(rng: Random) -> bytes:
    """Return a model file with something wrong in it."""
    original = mutated = rng.choice(originals())
    ways = list((DAMAGE if rng.random() < 0.2 else FORGERY | FORGED).values())
    while mutated == original:
        mutated = rng.choice(ways)(original, rng)
    return mutated


def _unclear(told: str, path: Path) -> Iterator[str]:
    if len(told) < 30 or "\n" in told or str(path) not in told or len(told) > 1000:
        yield f"it says {told[:300]!r}"


def _wrong(model: Any, deep: bool) -> Iterator[str]:
    """Yield what is wrong with a model that was loaded."""
    if problem := unsound(model):
        yield problem
    elif deep:
        try:
            yield from _otherwise(model)
        except Exception as error:
            yield f"{type(error).__name__}: {error}"[:200]


def _otherwise(model: Any) -> Iterator[str]:
    """Yield where a model is another one when it is saved and loaded, or has no answer."""
    first, second = _folder() / "first", _folder() / "second"
    model.save(first)
    load(first).save(second)
    if first.read_bytes() != second.read_bytes():
        yield "saved again it is another model"
    inner = getattr(model, "model_", model)
    yield from answers_about(inner, inner.sample(4)[0])


@cache
def _folder() -> Path:
    """Return a folder of this process, which is removed when it ends."""
    place = tempfile.TemporaryDirectory()
    atexit.register(place.cleanup)
    return Path(place.name)


@cache
def originals() -> tuple[bytes, ...]:
    """Return files that hold, together, everything that a model file can hold."""
    table = _table()
    quick: dict[str, Any] = {"random_state": 0, "effort": 0.05}
    everything = Galileo(
        **quick, ordered={"size": ["small", "middle", "large"]}, discretize={"age": [20.0, 40.0]}
    )
    drawing: dict[str, Any] = {**quick, "random_state": np.random.RandomState(0)}
    y = ["yes", "no", "no"] * (len(table) // 3)
    fitted = (
        everything.fit(table),
        Galileo(**quick, covariance="diagonal", missing="ignore", criterion="aic").fit(table),
        Galileo(**quick, refine=False, max_components=3, drop=["word"]).fit(table),
        GalileoClassifier(Galileo(**quick)).fit(table[["size", "word"]], y),
        GalileoDetector(Galileo(**quick), fdr=0.1).fit(table[["number", "word"]]),
        GalileoImputer(Galileo(**drawing)).fit(table[["size", "spiked"]]),
    )
    return tuple(_bytes_of(model, _folder() / "original") for model in fitted)


def _bytes_of(model: Any, path: Path) -> bytes:
    """Return the file of a model, always the same one: how long it took to find is left out."""
    model.save(path)
    manifest, tensors, rest = parts(path.read_bytes())
    manifest["extra"]["search_"]["seconds"] = 1.0
    return joined(manifest, tensors, rest)


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    n = 60
    cluster = np.arange(n) % 2
    spiked = np.where(rng.random(n) < 0.4, 0.0, rng.lognormal(0.0, 1.0, n))
    return pd.DataFrame(
        {
            "size": np.array(["small", "middle", "large"])[(cluster + rng.integers(2, size=n))],
            "word": np.where(cluster, "ß😀", "<b>"),
            "number": np.where(rng.random(n) < 0.2, np.nan, rng.normal(4.0 * cluster)),
            "skewed": rng.lognormal(cluster, 2.0),
            "spiked": spiked,
            "day": pd.Timestamp("2024-02-29") + pd.to_timedelta(rng.integers(900, size=n), "D"),
            "age": rng.integers(80, size=n),
            "true": rng.random(n) < 0.5,
            "count": rng.poisson(3.0 + 5.0 * cluster),
        }
    )


def several(data: bytes, rng: Random) -> bytes:
    """Forge two to four things one after the other."""
    for _ in range(rng.randint(2, 4)):
        try:
            data = rng.choice(list(FORGERY.values()))(data, rng)
        except (ValueError, KeyError, IndexError, RecursionError, TypeError, AttributeError):
            break  # what was forged before is no JSON any more
    return data


def twice(data: bytes, rng: Random) -> bytes:
    """Write a name of the manifest, or of an array, twice."""
    manifest, tensors, rest = parts(data)
    place = rng.choice((manifest, tensors, manifest["path"], manifest["schema"]))
    key = rng.choice(list(place))
    other = f"{key}@"
    place[other] = rng.choice((None, 0, place[key], [], {}))
    written = joined(manifest, tensors, rest)
    length = int.from_bytes(written[:8], "little")
    header = written[8 : 8 + length].replace(f"{key}@".encode(), key.encode())
    return _closed(header, written[8 + length :])


def shapes(data: bytes, rng: Random) -> bytes:
    """Claim impossible shapes, or that arrays lie in each other's place."""
    manifest, tensors, rest = parts(data)
    one, two = (rng.choice(list(tensors)) for _ in range(2))
    if rng.random() < 0.5:
        tensors[one]["shape"] = json.loads(rng.choice(SHAPES))
        tensors[two]["data_offsets"] = rng.choice(([0, 0], tensors[one]["data_offsets"]))
    else:
        tensors[one] = tensors[two]
    return joined(manifest, tensors, rest)


def named(data: bytes, rng: Random) -> bytes:
    """Give something another name, such as one of a path."""
    manifest, tensors, rest = parts(data)
    place = rng.choice((manifest, tensors, manifest["extra"], manifest["parameters"]))
    place[rng.choice(NAMES)] = place[rng.choice(list(place))]
    return joined(manifest, tensors, rest)


def other_text(data: bytes, rng: Random) -> bytes:
    """Put another name in the place of every occurrence of a text of the manifest."""
    manifest, tensors, rest = parts(data)
    names = [column["name"] for column in manifest["schema"]["columns"]]
    text = json.dumps(manifest).replace(
        json.dumps(rng.choice(names)), json.dumps(rng.choice((*NAMES, *names)))
    )
    return joined(json.loads(text), tensors, rest)


def resized(data: bytes, rng: Random) -> bytes:
    """Change a number of components or of values, and all arrays that have this length."""
    manifest, tensors, _ = parts(data)
    old, new = rng.randint(1, 4), rng.choice((0, 1, 2, 3, 5, 9))
    text, arrays = json.dumps(manifest), bytearray()
    text = text.replace(f'"k": {old},', f'"k": {new},').replace(
        f'"chosen": {old}', f'"chosen": {new}'
    )
    for tensor in tensors.values():
        tensor["shape"] = [new if length == old else length for length in tensor["shape"]]
        size = 8 * int(np.prod(tensor["shape"], dtype=object))
        value = rng.choice((0.0, 1.0, 1.0 / max(new, 1), 0.5))
        tensor["data_offsets"] = [len(arrays), len(arrays) + size]
        arrays += np.full(size // 8, value).tobytes()
    return joined(json.loads(text), tensors, bytes(arrays))


def _closed(header: bytes, rest: bytes) -> bytes:
    header = header.rstrip() + b" " * (-len(header.rstrip()) % 8)
    return signed(len(header).to_bytes(8, "little") + header + rest)


FORGED: dict[str, Mutation] = {
    "several": several,
    "twice": twice,
    "shapes": shapes,
    "named": named,
    "other text": other_text,
    "resized": resized,
}
"""Forgeries besides those of the benchmark of model files."""
