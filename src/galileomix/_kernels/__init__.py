"""How one block is computed: `reference` is the specification, `cpu` the compiled form.

`KERNEL` is the one that everything that runs over rows uses unless it is given another.
"""

from galileomix._kernels import cpu
from galileomix._kernels.kernel import Kernel

KERNEL: Kernel = cpu

__all__ = ["KERNEL", "Kernel"]
