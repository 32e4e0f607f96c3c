"""What an engine is: it knows where the blocks are, and adds up a function of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from galileomix._table import Block

T = TypeVar("T")


class Engine(Protocol):
    """One method, ``sum(f)``: threads, Dask and Spark differ there and nowhere else."""

    def sum(self, f: Callable[[Block], T]) -> T:
        """Return the sum of f over all blocks, in their order."""
        ...
