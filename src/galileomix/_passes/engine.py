"""What an engine is: it knows where the blocks are, and adds up a function of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from galileomix._table import Block, Schema

T = TypeVar("T")

MOST_HELD = 65_536
"""Tables of no more rows are brought here from a cluster: the search passes over them thousands of
times, and each pass takes less time than the way there."""
MOST_GATHERED = 64
"""Sums of groups that come back to be added up here; more are added up on the cluster first."""


class Engine(Protocol):
    """Above all ``sum(f)``: threads, Dask and Spark differ there and nowhere else."""

    def holding(self, blocks: Sequence[Block]) -> Engine:
        """Return an engine for some blocks in the memory of this process."""
        ...

    def sum(self, f: Callable[[Block], T]) -> T:
        """Return the sum of f over all blocks, in the order of `fold`."""
        ...


@dataclass(frozen=True, eq=False)
class RemoteTable:
    """A table ready to be fitted whose rows stay on a cluster (see `Prepared`).

    Where `labels_stay`, those of its rows are made when they are asked for: on the cluster, where
    the table is its own, or of all rows, where only those that have a weight are there.
    """

    schema: Schema
    named: bool
    engine: Engine
    labels_stay: bool
