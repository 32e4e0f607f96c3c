"""A fitted model as data: plain dictionaries and arrays, and one file that holds them."""

from galileomix.storage.container import FORMAT_VERSION
from galileomix.storage.document import from_dict, from_document, to_dict, to_document
from galileomix.storage.files import MOST_BYTES, read, write
from galileomix.storage.plain import encode
from galileomix.storage.state import State

__all__ = [
    "FORMAT_VERSION",
    "MOST_BYTES",
    "State",
    "encode",
    "from_dict",
    "from_document",
    "read",
    "to_dict",
    "to_document",
    "write",
]
