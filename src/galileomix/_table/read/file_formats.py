"""What a file holds: its format, whether it is compressed, and its contents as bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any, Literal
from zipfile import ZipFile, ZipInfo

import pyarrow as pa

from galileomix._table.read.declared_types import some
from galileomix.errors import TableError

Format = Literal["csv", "parquet", "json", "arrow", ""]
FORMATS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".data"), "csv"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "json"),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), "arrow"),
}
COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4", ".br": "brotli"}
ZIP = ".zip"
MAY_BE_ANYTHING = (".txt", ".data", ".json")
"""Beside other files these need not be tables."""
MARKS = {
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"PK\3\4": ZIP,
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\x28\xb5\x2f\xfd": ".zst",
}
"""How files of a format begin."""
HIDDEN = ("_", ".")
"""What others write beside the data has names that begin with one of these."""


def format_of(path: Path) -> Format:
    """Return the format that the name of a file says, compressed or not; nothing where unknown.

    An archive has the format of the table in it.

    Examples
    --------
    >>> format_of(Path("survey.csv.gz")), format_of(Path("survey.feather")), format_of(Path("a.b"))
    ('csv', 'arrow', '')
    """
    named = _format_by_name(_uncompressed(path))
    if named or path.suffix.lower() != ZIP or not path.is_file():
        return named
    with ZipFile(path) as archive:
        member = _table_in(archive, path)
        named = _format_by_name(PurePath(member.filename))
        if named:
            return named
        with archive.open(member) as contents:
            return _format_by_name(PurePath(f"table{_text_suffix(contents.read(16))}"))


def is_part_of_folder(path: Path, folder: Path) -> bool:
    """Return whether a file in a folder belongs to the table that the folder is."""
    hidden = any(part.startswith(HIDDEN) for part in path.relative_to(folder).parts)
    name = _uncompressed(path)
    ours = bool(_format_by_name(name)) and name.suffix.lower() not in MAY_BE_ANYTHING
    return ours and not hidden and path.is_file()


def is_compressed(path: Path) -> bool:
    """Return whether the name of a file says that it is compressed."""
    return path.suffix.lower() in (*COMPRESSIONS, ZIP)


def begins_with(path: Path, mark: bytes) -> bool:
    """Return whether a file begins with some bytes."""
    with path.open("rb") as file:
        return file.read(len(mark)) == mark


def suffix_by_contents(path: Path) -> str:
    """Return the suffix that a file without a name should have, CSV where nothing else is seen."""
    with path.open("rb") as file:
        first = file.read(16)
    suffix = next((suffix for mark, suffix in MARKS.items() if first.startswith(mark)), "")
    if suffix in COMPRESSIONS:
        raw = pa.OSFile(str(path))
        with pa.CompressedInputStream(raw, COMPRESSIONS[suffix]) as contents:
            return _text_suffix(contents.read(16)) + suffix
    return suffix or _text_suffix(first)


def open_bytes(path: Path) -> tuple[Any, Callable[[], int]]:
    """Open a file for reading: its contents, and a function that says how far one has read."""
    if path.suffix.lower() == ZIP:
        with ZipFile(path) as archive:
            member = _table_in(archive, path)
            contents = archive.open(member)
        share = member.compress_size / max(member.file_size, 1)
        return contents, lambda: int(contents.tell() * share)
    raw = pa.OSFile(str(path))
    compression = COMPRESSIONS.get(path.suffix.lower())
    return (pa.CompressedInputStream(raw, compression) if compression else raw), raw.tell


def _uncompressed(path: Path) -> PurePath:
    return path.with_suffix("") if is_compressed(path) else path


def _format_by_name(name: PurePath) -> Format:
    return FORMATS.get(name.suffix.lower(), "")


def _text_suffix(first: bytes) -> str:
    return ".jsonl" if first.lstrip().startswith(b"{") else ".csv"


def _table_in(archive: ZipFile, path: Path) -> ZipInfo:
    """Return the one table of an archive."""
    files = [info for info in archive.infolist() if not info.is_dir()]
    files = [
        info
        for info in files
        if not any(part.startswith(HIDDEN) for part in PurePath(info.filename).parts)
    ]
    tables = [info for info in files if _format_by_name(PurePath(info.filename))]
    sure = [info for info in tables if not info.filename.lower().endswith(MAY_BE_ANYTHING)]
    # What pandas writes into an archive has the archive's name and no suffix.
    plain = [info for info in files if not PurePath(info.filename).suffix]
    found = sure or tables or (plain if len(files) == 1 else [])
    if len(found) != 1:
        names = some([info.filename for info in (found or files)], 5) or "nothing"
        wanted = f"it must hold one table, and holds {names}"
        raise TableError(f"this archive cannot be read: {wanted}", file=str(path))
    if found[0].flag_bits & 1:
        raise TableError("this archive is encrypted: extract it first", file=str(path))
    return found[0]
