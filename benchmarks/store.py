"""What a benchmark measured, kept as JSON: the machine, the versions, one record per line."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import galileomix
from benchmarks.common import Plan, Record

PACKAGES = ("galileomix", "numpy", "numba", "scikit-learn", "pandas", "stepmix")


def origin(plan: Plan, packages: Sequence[str] = PACKAGES) -> Record:
    """Return where and with what records are measured; to be asked before measuring."""
    return {
        "machine": machine(),
        "versions": versions(packages),
        "source": source(),
        "jobs": plan.jobs,
    }


def write(path: Path, measured: Record, records: list[Record]) -> None:
    """Keep the records of one benchmark, and where they were measured."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written(measured | {"records": records}) + "\n", encoding="utf-8")


def write_all(path: Path, kept: dict[str, Record]) -> None:
    """Keep what several benchmarks measured in one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sections = ",\n".join(f"{json.dumps(name)}: {written(each)}" for name, each in kept.items())
    path.write_text(f"{{\n{sections}\n}}\n", encoding="utf-8")


def written(kept: Record) -> str:
    """Return as JSON where records were measured, and the records, each on one line."""
    measured = {key: value for key, value in kept.items() if key != "records"}
    head = json.dumps(measured, indent=1)
    lines = ",\n  ".join(json.dumps(record) for record in kept["records"])
    return f'{head[:-2]},\n "records": [\n  {lines}\n ]\n}}'


def read(path: Path) -> Record:
    """Return what was kept in a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def caption(kept: Record) -> str:
    """Return one line that says where and with what the records were measured."""
    made_with = ", ".join(f"{name} {number}" for name, number in kept["versions"].items())
    machine, jobs = kept["machine"], kept["jobs"]
    return (
        f"<sub>{machine['cores']} cores of {machine['processor']}, {machine['system']}, "
        f"{jobs} {'process' if jobs == 1 else 'processes'} at once; {made_with}.</sub>"
    )


def machine() -> Record:
    """Return the processor, its cores, and the system."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions(packages: Sequence[str] = PACKAGES) -> Record:
    """Return the versions of Python and of those packages, or compilers, that are there."""
    found = {name: _version(name) for name in packages}
    return {"Python": platform.python_version()} | {
        name: number for name, number in found.items() if number
    }


def source() -> str:
    """Return a digest of our own source, which the version alone does not tell."""
    digest = hashlib.sha256()
    for path in sorted(Path(galileomix.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _version(name: str) -> str | None:
    """Return the version of a package, or of gcc, or None where it is not installed."""
    if name == "gcc":
        return _gcc()
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _gcc() -> str | None:
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    asked = [gcc, "-dumpfullversion"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.stdout.strip() if re.fullmatch(r"[0-9.]+\s*", done.stdout) else None


def _processor() -> str:
    """Return the processor's name, which Linux keeps in a file."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "an unnamed processor")
