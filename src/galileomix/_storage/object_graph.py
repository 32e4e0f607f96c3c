"""Objects of a fit as what JSON and arrays can hold, and back: the same bits, the same identities.

Only classes that are listed are written or made again, by their fields; nothing is called.
Two references to one object stay that, and arrays keep the order of their axes in memory, on which
the last bits of sums over them depend.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from galileomix._storage import plain
from galileomix._storage.container import Arrays
from galileomix._storage.kept_types import KEPT_TYPES
from galileomix.errors import ModelFileError

BY_NAME = {kept.__name__: kept for kept in KEPT_TYPES}
REFERENCE = "$object"
Node = dict[str, Any]


class Written:
    """An object and all that it refers to: a list of nodes, and arrays by name."""

    def __init__(self, root: object, given: Mapping[str, Any], calls: bool = False) -> None:
        self.nodes: list[Node] = []
        self.arrays: Arrays = {}
        self._names = {id(value): name for name, value in given.items()}
        self._calls = calls
        self._places: dict[int, int] = {}
        self._held: list[object] = []  # what is alive keeps its id
        self.root = self._value(root)

    def digest(self) -> str:
        """Return a hash of everything."""
        found = hashlib.sha256(json.dumps([self.root, self.nodes]).encode())
        for array in self.arrays.values():
            found.update(array.tobytes())
        return found.hexdigest()

    def _value(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, float, str):
            return plain.encode(value)
        place = self._places.get(id(value))
        if place is None:
            place = self._places[id(value)] = len(self.nodes)
            self._held.append(value)
            self.nodes.append({})
            self.nodes[place] = self._node(value)
        return {REFERENCE: place}

    def _node(self, value: Any) -> Node:
        name = self._names.get(id(value))
        if name is not None:
            return {"given": name}
        if type(value) in (list, tuple):
            return {type(value).__name__: [self._value(item) for item in value]}
        if type(value) is dict:
            return {"dict": [[self._value(key), self._value(item)] for key, item in value.items()]}
        if isinstance(value, np.ndarray):
            return self._array(cast("NDArray[Any]", value))
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value))}
        if isinstance(value, np.random.Generator):
            return {"generator": value.bit_generator.state}
        if type(value) in KEPT_TYPES:
            return {"class": type(value).__name__, "fields": self._fields(value)}
        return self._call(value)

    def _fields(self, value: Any) -> dict[str, Any]:
        state = cast("dict[str, Any]", value.__getstate__() or {})
        # What kernels prepare goes with its block, and is made again.
        return {name: self._value(item) for name, item in state.items() if name != "cache"}

    def _array(self, array: NDArray[Any]) -> Node:
        axes = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
        name = str(len(self.arrays))
        self.arrays[name] = np.ascontiguousarray(array.transpose(axes))
        return {"array": name, "dtype": array.dtype.str, "axes": axes}

    def _call(self, value: Any) -> Node:
        """Return what is called, by name: to be told apart, not to be called again."""
        if self._calls and isinstance(value, partial):
            call = cast("partial[Any]", value)
            return {"call": [self._value(part) for part in (call.func, call.args, call.keywords)]}
        if self._calls and callable(value):
            return {"call": getattr(value, "__qualname__", type(value).__qualname__)}
        raise ModelFileError(f"a {type(value).__name__} cannot be kept in a checkpoint")


def read_again(
    root: Any, nodes: Sequence[Node], arrays: Mapping[str, NDArray[Any]], given: Mapping[str, Any]
) -> Any:
    """Return the object that `Written` wrote; `given` are those that were given then."""
    return _Reader(nodes, arrays, given).value(root)


class _Reader:
    def __init__(
        self, nodes: Sequence[Node], arrays: Mapping[str, NDArray[Any]], given: Mapping[str, Any]
    ) -> None:
        self._nodes, self._arrays, self._given = nodes, arrays, given
        self._made: dict[int, Any] = {}

    def value(self, written: Any) -> Any:
        """Return what a value of a node stands for."""
        if not isinstance(written, dict) or REFERENCE not in written:
            return plain.decode(written)
        place = cast("dict[str, int]", written)[REFERENCE]
        if place not in self._made:
            self._made[place] = self._object(self._nodes[place])
        return self._made[place]

    def _object(self, node: Node) -> Any:
        kind = next(iter(node))
        held, make = node[kind], _MAKERS.get(kind)
        if make is not None:
            return make(self.value(item) for item in held)
        match kind:
            case "given":
                return self._given[held]
            case "dict":
                return {self.value(key): self.value(item) for key, item in held}
            case "array":
                return self._array(node)
            case "scalar":
                return self._array(held)[()]
            case "generator":
                return _generator(held)
            case "class":
                return self._instance(BY_NAME[held], node["fields"])
            case _:
                raise ModelFileError(f"it holds an object of unknown type, {kind!r:.60}")

    def _array(self, node: Node) -> NDArray[Any]:
        axes = node["axes"]
        array = self._arrays[node["array"]].astype(np.dtype(node["dtype"]), copy=False)
        return array.transpose(np.argsort(axes)) if axes else array.reshape(())

    def _instance(self, kept: type[Any], fields: Mapping[str, Any]) -> Any:
        made: Any = object.__new__(kept)
        vars(made).update({name: self.value(item) for name, item in fields.items()})
        if "cache" in getattr(kept, "__dataclass_fields__", {}):
            vars(made)["cache"] = {}
        return made


_MAKERS: dict[str, Callable[[Any], Any]] = {"list": list, "tuple": tuple}


def _generator(state: Any) -> np.random.Generator:
    generator = np.random.Generator(np.random.PCG64())
    generator.bit_generator.state = state
    return generator
