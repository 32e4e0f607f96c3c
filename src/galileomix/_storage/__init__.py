"""A fitted model as data: plain dictionaries and arrays, and one file that holds them."""

from galileomix._storage.container import FORMAT_VERSION
from galileomix._storage.document import from_dict, from_document, to_dict, to_document
from galileomix._storage.model_files import MOST_BYTES, read, write
from galileomix._storage.plain import encode
from galileomix._storage.saved_model import SavedModel

__all__ = [
    "FORMAT_VERSION",
    "MOST_BYTES",
    "SavedModel",
    "encode",
    "from_dict",
    "from_document",
    "read",
    "to_dict",
    "to_document",
    "write",
]
