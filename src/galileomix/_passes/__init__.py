"""Who adds the blocks up. An engine has one method, ``sum(f)``."""

from galileomix._passes.local import LocalEngine

__all__ = ["LocalEngine"]
