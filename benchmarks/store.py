"""What a benchmark measured, kept as JSON: the machine, the versions, one record per line."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path

import galileomix
from benchmarks.common import Plan, Record

PACKAGES = ("galileomix", "numpy", "numba", "scikit-learn", "pandas", "stepmix")


def origin(plan: Plan) -> Record:
    """Return where and with what records are measured; to be asked before measuring."""
    return {"machine": machine(), "versions": versions(), "source": source(), "jobs": plan.jobs}


def write(path: Path, measured: Record, records: list[Record]) -> None:
    """Keep the records of one benchmark, and where they were measured."""
    head = json.dumps(measured, indent=1)
    lines = ",\n  ".join(json.dumps(record) for record in records)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{head[:-2]},\n "records": [\n  {lines}\n ]\n}}\n', encoding="utf-8")


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


def versions() -> Record:
    """Return the versions of Python and of the packages that matter."""
    return {"Python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def source() -> str:
    """Return a digest of our own source, which the version alone does not tell."""
    digest = hashlib.sha256()
    for path in sorted(Path(galileomix.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _processor() -> str:
    """Return the processor's name, which Linux keeps in a file."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or "an unnamed processor")
