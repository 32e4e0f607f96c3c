"""Model files that are damaged, forged, or being written when the process dies.

**Every bit** of three small files is flipped in turn. **Mutations** are drawn at random and done to
the same files: damage leaves the hash as it was, a forgery makes it right again, so that only the
checks behind it can tell. Whatever is not refused by a `ModelFileError` counts as a failure, but
for forgeries that are valid models still (a number within its rounding, another name): they must
be sound to the last distribution and answer with probabilities. Loading may take 1 MiB and 16 bytes
per byte of the file (by tracemalloc), in a process that can have no more than 256 MiB beyond what
it has. **Kills:** a child saves a model over the file of another and is ended by SIGKILL at a
random moment, from the first instant of the save to a little after its usual end; then the file
must be the old one or the new one, to the byte.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.common import Plan, Record, each
from benchmarks.kills import ROOT, killed
from benchmarks.mutations import DAMAGE, FORGERY
from benchmarks.ordeals import guarded, judged
from benchmarks.render import table
from galileomix import Galileo

PACKAGES = ("galileomix", "numpy", "safetensors")
GOLDEN = ROOT / "tests" / "storage" / "golden"
MUTATIONS = 100_100
"""Of all kinds together, the same number of each."""
KILLS = 200
WAYS = {False: "without a name until they are whole", True: "that need names"}


def run(plan: Plan) -> list[Record]:
    """Do everything that can be done to a file, one kind at a time."""
    kinds = [*DAMAGE, *FORGERY]
    count = (1300 if plan.quick else MUTATIONS) // len(kinds)
    kills = 10 if plan.quick else KILLS
    settings: list[Record] = [{"what": "bits", "kind": name} for name in files()]
    settings += [{"what": "mutations", "kind": kind, "count": count} for kind in kinds]
    settings += [
        {"what": "kills", "kind": size, "named": named, "count": kills}
        for size in ("small", "large")
        for named in WAYS
    ]
    return each(one, settings, plan.jobs)


def one(what: str, kind: str, count: int = 0, named: bool = False) -> Record:
    """Do one kind of thing to files."""
    if what == "kills":
        return {"what": what, "kind": kind, "named": named} | saves_killed(kind, named, count)
    if what == "bits":
        return {"what": what, "kind": kind} | tried(flipped(files()[kind]), strict=True)
    mutants = mutations(kind, count)
    return {"what": what, "kind": kind} | tried(mutants, strict=kind in DAMAGE)


def files() -> dict[str, bytes]:
    """Return the small files, by their names."""
    return {path.stem: path.read_bytes() for path in sorted(GOLDEN.glob("*.galileo"))}


def flipped(data: bytes) -> Iterator[bytes]:
    """Yield a file with every bit flipped in turn."""
    damaged = bytearray(data)
    for position in range(len(data)):
        for bit in range(8):
            damaged[position] ^= 1 << bit
            yield bytes(damaged)
            damaged[position] ^= 1 << bit


def mutations(kind: str, count: int, seed: str = "") -> Iterator[bytes]:
    """Yield so many random mutations of one kind, of the files in turn; each differs from them."""
    mutation, rng = (DAMAGE | FORGERY)[kind], Random(f"{kind}{seed}")
    originals = list(files().values())
    for n in range(count):
        original = mutated = originals[n % len(originals)]
        while mutated == original:
            mutated = mutation(original, rng)
        yield mutated


def tried(mutants: Iterator[bytes], strict: bool) -> Record:
    """Load every one and count what becomes of it; where strict, all must be refused."""
    seen, memory, largest = Counter[str](), 0.0, 0
    reasons: list[str] = []
    with tempfile.TemporaryDirectory() as folder, guarded():
        for data in mutants:
            verdict = judged(data, Path(folder) / "m.galileo")
            undetected = strict and verdict.outcome == "loaded"
            outcome = "failed" if undetected else verdict.outcome
            seen[outcome] += 1
            memory, largest = max(memory, verdict.memory), max(largest, len(data))
            if outcome == "failed" and len(reasons) < 5:
                reasons.append(verdict.why or "not detected")
    counts = {name: seen[name] for name in ("refused", "loaded", "failed")}
    return counts | {"memory": round(memory, 4), "largest": largest, "reasons": reasons}


def saves_killed(size: str, named: bool, count: int) -> Record:
    """Kill saves of small or of large files."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first", Path(folder) / "second"
        model = Galileo.load(GOLDEN / "v1_categorical.galileo") if size == "small" else large()
        model.save(first)
        model.at(next(k for k in model.path_.sizes if k != model.n_components_)).save(second)
        seen = killed(first, second, named, count, count)
        names = ("kills", "old", "new", "broken", "left whole", "left in part")
        return {"bytes": first.stat().st_size} | {name: seen.get(name, 0) for name in names}


def large() -> Galileo:
    """Return a model whose file has megabytes."""
    values = np.random.default_rng(0).integers(4000, size=(20_000, 6))
    return Galileo(6, refine=False, max_iter=3, random_state=0).fit(values)


def render(records: list[Record]) -> str:
    """Show the records as Markdown."""
    kinds = {name: "damage" for name in DAMAGE} | {name: "forgery" for name in FORGERY}
    loaded = [record for record in records if record["what"] != "kills"]
    header = ["what", "kind", "files", "refused", "loaded, sound", "failed"]
    header += ["most memory, of what is allowed"]
    rows = [[kinds.get(each["kind"], "every bit"), each["kind"], *counts(each)] for each in loaded]
    every = {name: sum(each[name] for each in loaded) for name in ("refused", "loaded", "failed")}
    rows.append(["**all**", "", *counts(every | {"memory": max(e["memory"] for e in loaded)})])
    saves = ["temporary files", "bytes", "kills", "the old file", "the new file", "broken"]
    saves += ["temporary files left"]
    lines = [save_cells(record) for record in records if record["what"] == "kills"]
    return "\n\n".join([table(header, rows), table(saves, lines)])


def counts(record: Record) -> list[str]:
    """Return the cells that say what became of files."""
    found = [record[name] for name in ("refused", "loaded", "failed")]
    return [
        *(f"{number:,}".replace(",", " ") for number in (sum(found), *found)),
        f"{record['memory']:.0%}",
    ]


def save_cells(record: Record) -> list[str]:
    """Return the cells that say what became of saves that were killed."""
    left = f"{record['left whole']} whole, {record['left in part']} in part"
    size = f"{record['bytes']:,}".replace(",", " ")
    found = [str(record[name]) for name in ("kills", "old", "new", "broken")]
    return [WAYS[record["named"]], size, *found, left]
