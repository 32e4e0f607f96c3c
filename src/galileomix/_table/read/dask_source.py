"""The partitions of a Dask frame or array as a source of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from galileomix._table.column import Columns
from galileomix._table.read.chunk import Chunk, Source, placed
from galileomix._table.read.convert import to_column
from galileomix._table.read.declared_types import undeclared
from galileomix._table.read.raw_table import raw_table
from galileomix.errors import TableError, TableTypeError


@dataclass(frozen=True, eq=False, kw_only=True)
class DaskSource(Source):
    """Rows of a Dask table, in the order of its partitions."""

    column_names: tuple[str, ...]  # of the table, those that are not read included
    partitions: Sequence[Any]  # frames of pandas or arrays, once they are computed
    first: int = 0  # the number of the first partition

    def chunks(self) -> Iterator[Chunk]:
        """Yield a partition at a time, computed by what computes Dask's tables here."""
        for number, partition in enumerate(self.partitions, self.first):
            yield from self._chunks_of(partition.compute(), number)

    def holding(self, partition: Any, number: int) -> DaskSource:
        """Return the source of one partition that is computed already."""
        return replace(self, partitions=(_Computed(partition),), first=number)

    def _chunks_of(self, partition: Any, number: int) -> Iterator[Chunk]:
        """Yield the rows of a partition, and nothing where it has none."""
        if not len(partition):
            return
        where = f"partition {number}"
        with placed(0, where):
            raw = raw_table(partition)
            held = dict(zip(self.column_names, raw.columns, strict=True))
            columns = tuple(
                to_column(name, held[name], declared, self.missing)
                for name, declared in zip(self.names, self.declared, strict=True)
            )
        yield Chunk(Columns(columns, raw.n_rows, self.named), file=where)


class _Computed(NamedTuple):
    """A partition that is there."""

    found: Any

    def compute(self) -> Any:
        """Return it."""
        return self.found


def is_dask(table: object) -> bool:
    """Whether a table is Dask's own: a frame, a series or an array."""
    return type(table).__module__.startswith(("dask.dataframe", "dask.array"))


def refuse_other_dask(table: object) -> None:
    """Refuse what is of Dask, and no table."""
    kind = type(table)
    if kind.__module__.startswith("dask.") and not is_dask(table):
        raise TableTypeError(
            f"a {kind.__name__!r} of Dask is no table: make a frame of it, as `to_dataframe` of a "
            f"Bag and `dask.dataframe.from_delayed` do"
        )


def dask_source(table: Any) -> DaskSource:
    """Return the source of a Dask frame, or of an array of two dimensions."""
    if getattr(table, "ndim", 2) != 2:
        raise TableError(
            f"a Dask table must have two dimensions, this {type(table).__name__} has {table.ndim}"
        )
    given = getattr(table, "columns", None)
    if given is None:
        names = tuple(f"x{position}" for position in range(table.shape[1]))
        partitions = table.rechunk({1: -1}).to_delayed()[:, 0].tolist()
    else:
        names = tuple(map(str, given))
        partitions = table.to_delayed()
    return DaskSource(
        names=names,
        named=given is not None and all(isinstance(name, str) for name in given),
        declared=undeclared(names),
        column_names=names,
        partitions=partitions,
    )
