"""Who adds the blocks up. An engine has one method, ``sum(f)``."""

from galileomix.engines.local import LocalEngine

__all__ = ["LocalEngine"]
