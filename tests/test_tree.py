"""The shape of the package: small files, few of them at the root, each in the design."""

import ast
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "galileomix"
MODULES = [path for path in PACKAGE.rglob("*.py") if path.name != "__init__.py"]


def functions():
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                yield node.end_lineno - node.lineno + 1


def test_few_modules_lie_at_the_root():
    assert len(list(PACKAGE.glob("*.py"))) <= 9  # with __init__.py


def test_no_two_modules_have_the_same_name():
    names = Counter(path.stem.lstrip("_") for path in MODULES)
    assert [name for name, count in names.items() if count > 1] == []


def test_files_and_functions_are_small():
    lines = sorted(len(path.read_text().splitlines()) for path in MODULES)
    assert lines[len(lines) // 2] <= 150 and lines[-1] <= 400
    lengths = sorted(functions())
    assert lengths[int(0.9 * len(lengths))] <= 25


def test_there_are_at_most_ten_layers():
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = config["tool"]["importlinter"]["contracts"]
    rooms = next(contract for contract in contracts if contract.get("containers") == ["galileomix"])
    assert len(rooms["layers"]) <= 10


def test_what_is_private_is_marked():
    """Only the packages and modules that the documents call public have plain names."""
    public = {path.stem for path in PACKAGE.iterdir() if not path.name.startswith(("_", "py."))}
    assert public == {"baselines", "datasets", "errors", "metrics", "plots"}
    for package in ("baselines", "datasets", "plots"):
        assert all(path.name.startswith("_") for path in (PACKAGE / package).glob("*.py"))


def test_the_design_names_every_module():
    design = (ROOT / "docs" / "design.md").read_text()
    absent = [path.name for path in MODULES if path.name not in design]
    assert absent == []


def test_tests_mirror_the_tree():
    rooms = {path.name.lstrip("_") for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert folders - {"__pycache__"} == rooms
