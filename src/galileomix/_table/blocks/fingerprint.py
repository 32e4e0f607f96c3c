"""What rows are, in a few bytes: another table has others."""

from __future__ import annotations

import hashlib

from galileomix._table.blocks.block import Block
from galileomix._table.blocks.draw import hash_rows

KEY = 2


def listed_fingerprint(block: Block) -> list[str]:
    """Return a hash of the rows of a block, in a list: their sum lists those of all blocks."""
    found = hashlib.sha256(hash_rows(block, KEY).tobytes())
    found.update(block.weights.tobytes())
    return [found.hexdigest()]
