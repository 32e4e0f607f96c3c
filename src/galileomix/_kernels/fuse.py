"""Several attributes of few values as one column, exactly.

Two attributes of three values are one column of nine: its table of log-probabilities is the sum
of their tables, and its counts add up to theirs. A record then takes as many steps as there are
joint columns. Nothing is approximated; only the order of the sums changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from galileomix._kernels import loops
from galileomix._kernels.loops import Members
from galileomix._model.params import Ints, Layout
from galileomix._table import Block, Codes

LARGEST = 512
"""The most rows of a joint column: tables of more outgrow the nearer caches."""
SMALL = 4096
"""Rows of a block whose joint columns are all kept; of larger ones they would take much memory."""
ROW_COST = 12
"""What one more row of a joint table costs, in steps of a record over a column (measured)."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Which attributes stand together, and what the rows of the joint table are the sums of.

    Members are rows of the value axis, where V stands for the weight of the component, which the
    first column carries. A missing value adds nothing.
    """

    columns: tuple[tuple[int, ...], ...]  # the attributes of each one, the first varying slowest
    sizes: tuple[int, ...]  # how many codes each attribute has: one more where some are missing
    members: Members

    @property
    def n_rows(self) -> int:
        """R, the rows of all joint columns together."""
        return len(self.members.starts) - 1

    @cached_property
    def steps(self) -> tuple[Ints, Ints, Ints]:
        """The attributes of all columns in a row, where each column ends, its first joint row."""
        attributes = [m for column in self.columns for m in column]
        ends = np.cumsum([len(column) for column in self.columns])
        rows = [int(np.prod([self.sizes[m] for m in column])) for column in self.columns]
        firsts = np.concatenate([[0], np.cumsum(rows)[:-1]])
        return np.array(attributes, np.intp), ends.astype(np.intp), firsts.astype(np.intp)


class JointColumns:
    """The joint columns of one block, each made when first asked for."""

    def __init__(self, block: Block, layout: Layout) -> None:
        missing = np.array(layout.cardinalities, dtype=block.codes.dtype)
        self.layout = layout
        self._codes = block.codes
        self._some_missing = bool((block.codes == missing).any())
        self._by_bits: dict[int, tuple[Plan, Codes]] = {}

    def suiting(self, steps: int) -> tuple[Plan, Codes]:
        """Return the columns that cost least for so many steps, and their plan."""
        bits = steps.bit_length()
        found = self._by_bits.get(bits)
        if found is None:
            chosen = plan(self.layout, self._some_missing, bits)
            same = (one for one in self._by_bits.values() if one[0].columns == chosen.columns)
            found = next(same, None) or (chosen, _fuse(self._codes, chosen))
            if steps == len(self._codes) or len(self._codes) <= SMALL:
                self._by_bits[bits] = found
        return found


def fused(block: Block, layout: Layout, steps: int) -> tuple[Plan, Codes]:
    """Return joint columns of a block that suit so many steps, and their plan.

    The codes are rows of the joint table, (n, columns). Those of whole passes are kept with the
    block, and so are all of a small block. Two threads that ask at once may both make them, and
    either result will do. ``steps`` is how many records are about to be looked up.
    """
    found = block.cache.get(JointColumns)
    if found is None or (found.layout is not layout and found.layout != layout):
        found = block.cache[JointColumns] = JointColumns(block, layout)
    return found.suiting(steps)


@lru_cache(maxsize=64)
def plan(layout: Layout, some_missing: bool, bits: int) -> Plan:
    """Return the plan that costs least for a block of about 2**bits records.

    Missing values, where there are some, need a code of their own.

    Examples
    --------
    >>> plan(Layout((3, 3, 2)), False, 13).columns, plan(Layout((3, 3, 2)), False, 3).columns
    (((0, 1, 2),), ((0,), (1,), (2,)))
    """
    sizes = tuple(n_values + some_missing for n_values in layout.cardinalities)
    packed = [_pack(sizes, 2**power) for power in range(LARGEST.bit_length())]
    return _plan(layout, sizes, min(packed, key=lambda columns: _cost(columns, sizes, 2**bits)))


def _pack(sizes: tuple[int, ...], limit: int) -> list[list[int]]:
    """Put attributes together, the widest first, each where it leaves the least room."""
    columns: list[list[int]] = []
    by_size: dict[int, list[list[int]]] = {}
    for m in sorted(range(len(sizes)), key=lambda m: -sizes[m]):
        size = max((size for size in by_size if size * sizes[m] <= limit), default=0)
        if size:
            column = by_size[size].pop()
            if not by_size[size]:
                del by_size[size]
        else:
            size, column = 1, []
            columns.append(column)
        column.append(m)
        by_size.setdefault(size * sizes[m], []).append(column)
    return columns


def _cost(columns: list[list[int]], sizes: tuple[int, ...], n_records: int) -> int:
    rows = sum(int(np.prod([sizes[m] for m in column])) for column in columns)
    return n_records * len(columns) + ROW_COST * rows


def _plan(layout: Layout, sizes: tuple[int, ...], columns: list[list[int]]) -> Plan:
    weight = layout.n_values
    absent = weight + 1
    starts, members = [np.zeros(1, np.intp)], [np.zeros(0, np.intp)]
    # A table of numbers alone has one column all the same, to carry the weights.
    for c, column in enumerate(columns or [[]]):
        n_rows = int(np.prod([sizes[m] for m in column], dtype=np.intp))
        parts = np.full((n_rows, len(column) + (c == 0)), weight)
        rest = np.arange(n_rows)
        for j, m in reversed(list(enumerate(column))):
            rest, codes = np.divmod(rest, sizes[m])
            parts[:, j] = np.where(
                codes < layout.cardinalities[m], layout.offsets[m] + codes, absent
            )
        known = parts < absent
        starts.append(starts[-1][-1] + np.cumsum(known.sum(axis=1)))
        members.append(parts[known])
    return Plan(
        tuple(tuple(column) for column in columns or [[]]),
        sizes,
        Members(np.concatenate(starts).astype(np.intp), np.concatenate(members).astype(np.intp)),
    )


def _fuse(codes: Codes, plan: Plan) -> Codes:
    # Two widths only, so that the loops are compiled for few types.
    dtype = np.uint16 if plan.n_rows <= 2**16 else np.uint32
    joint = np.empty((len(codes), len(plan.columns)), dtype)
    loops.fuse(codes, plan.steps, np.array(plan.sizes, np.int64), joint)
    return joint
