"""Passes over all rows: an engine adds blocks up, `BlockRecords` says what of."""

from galileomix._passes.engine import Engine, RemoteTable
from galileomix._passes.local import LocalEngine

__all__ = ["Engine", "LocalEngine", "RemoteTable"]
