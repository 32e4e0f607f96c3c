"""How far the reading of a table has come."""

from __future__ import annotations

from dataclasses import dataclass

from galileomix._words import counted


@dataclass(frozen=True)
class Reading:
    """How far the reading of a table has come that does not lie in memory.

    Parameters
    ----------
    stage : str
        "scan", which finds the values of every column, or "encode", which stores the rows.
    rows : int
        The rows read so far.
    bytes_read, bytes_total : int
        Of the files; zero where the rows come from elsewhere.
    seconds : float
        Since this stage began.
    done : bool
        Whether this stage is complete.

    Examples
    --------
    >>> Reading("scan", 1000, 25, 100, seconds=2.0).seconds_left
    6.0
    """

    stage: str
    rows: int
    bytes_read: int
    bytes_total: int
    seconds: float
    done: bool = False

    @property
    def seconds_left(self) -> float | None:
        """How long this stage will still take at this speed; None where that is unknown."""
        if not self.bytes_read:
            return None
        return self.seconds * (self.bytes_total - self.bytes_read) / self.bytes_read

    def __str__(self) -> str:
        verb = "reading" if self.stage == "scan" else "encoding"
        parts = [f"{verb}: {counted(self.rows, 'row')}"]
        if self.bytes_total:
            size, unit = (1e6, "MB") if self.bytes_total >= 10e6 else (1e3, "kB")
            parts.append(f"{self.bytes_read / size:.0f} of {self.bytes_total / size:.0f} {unit}")
        if self.seconds_left:
            parts.append(f"{self.seconds_left:.0f} s left")
        return ", ".join(parts)
