"""Note which code drew the pictures: the last part of ``make pictures``.

``docs/images/SOURCES`` has a digest of every file that draws plots and reports. A test compares:
where one has changed, the pictures may be out of date.
"""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "docs" / "images" / "SOURCES"
PACKAGE = "src/galileomix"
DRAWING = (
    f"{PACKAGE}/plots/*.py",
    f"{PACKAGE}/_report/*.py",
    f"{PACKAGE}/_report/templates/*",
    f"{PACKAGE}/_fitted/differences.py",
    "benchmarks/pictures.py",
    "benchmarks/report_pictures.py",
)
"""The files that decide how something looks."""
DIGITS = 16
"""Of the digest of a file."""


def sources() -> str:
    """Return the digest and the name of each file that draws, a line for each."""
    files = sorted(path for pattern in DRAWING for path in ROOT.glob(pattern) if path.is_file())
    return "".join(f"{digest(path)}  {path.relative_to(ROOT).as_posix()}\n" for path in files)


def digest(path: Path) -> str:
    """Return the digest of a file, of Python without what it says about itself."""
    text = path.read_text(encoding="utf-8")
    code = without_docstrings(text) if path.suffix == ".py" else text
    return hashlib.sha256(code.encode()).hexdigest()[:DIGITS]


def without_docstrings(code: str) -> str:
    """Return the lines of a module that are no docstrings, comments or blank.

    >>> without_docstrings('MOST = 3\\n"Of them."\\n\\n# why\\nx = "# no comment"\\n')
    'MOST = 3\\nx = "# no comment"'
    """
    lines = code.splitlines()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(line for line in lines if line.strip() and not line.strip().startswith("#"))


def main() -> None:
    """Write the digests."""
    SOURCES.write_text(sources(), encoding="utf-8")
    print("docs/images/SOURCES")


if __name__ == "__main__":
    main()
