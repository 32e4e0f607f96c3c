"""A page of docs/ with one section per benchmark, written between markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from benchmarks import store
from benchmarks.common import Record
from benchmarks.render import placed


@dataclass(frozen=True)
class Page:
    """Where the benchmarks of a package are shown.

    Parameters
    ----------
    package : str
        The package whose modules the benchmarks are: `run(plan)` measures, `render(records)`
        shows, and the docstring is the title and the text of the section.
    names : tuple of str
        The benchmarks, in the order of the page.
    path : Path
    intro : str
        How a page begins that is not there yet.
    """

    package: str
    names: tuple[str, ...]
    path: Path
    intro: str

    def benchmark(self, name: str) -> ModuleType:
        """Return the module of a benchmark."""
        return import_module(f"{self.package}.{name}")

    def title(self, name: str) -> str:
        """Return the first line of the benchmark's docstring."""
        return (self.benchmark(name).__doc__ or name).partition("\n")[0].rstrip(".")

    def body(self, name: str, kept: Record) -> str:
        """Return the section of one benchmark: what it does, what it measured, and where."""
        about = (self.benchmark(name).__doc__ or "").partition("\n")[2].strip()
        shown = self.benchmark(name).render(kept["records"])
        return "\n\n".join([about, shown, store.caption(kept)])

    def section(self, name: str, kept: Record) -> str:
        """Return the section of one benchmark under its title."""
        return f"## {self.title(name)}\n\n{self.body(name, kept)}\n"

    def write(self, kept: dict[str, Record], opening: Sequence[tuple[str, str, str]] = ()) -> None:
        """Write what was kept into the page, after opening sections (name, title, body)."""
        page = self.path.read_text(encoding="utf-8") if self.path.exists() else self.intro
        for name, title, body in opening:
            page = placed(page, name, title, body)
        for name in self.names:
            body = self.body(name, kept[name]) if name in kept else ""
            page = placed(page, name, self.title(name), body)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(page, encoding="utf-8")

    def check(self, asked: Sequence[str]) -> None:
        """End the program if one of the names asked for is no benchmark."""
        unknown = sorted(set(asked) - set(self.names))
        if unknown:
            there = ", ".join(self.names)
            raise SystemExit(f"no benchmark is called {', '.join(unknown)}; there are {there}")
