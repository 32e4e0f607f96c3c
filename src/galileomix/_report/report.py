"""A report as users have it: one page of HTML."""

from __future__ import annotations

import html
import os
from dataclasses import dataclass, field
from pathlib import Path

from galileomix._atomic import replacing
from galileomix.errors import ParameterError

FRAME_HEIGHT = 720


def check_page_name(path: str | os.PathLike[str]) -> None:
    """Refuse a name that a browser would not open as a page."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"{str(path)!r}: a report is a page, the name must end in .html")


@dataclass(frozen=True)
class Report:
    """A page about a fitted model: one file that needs no network.

    In a notebook it shows itself, in a frame.

    Parameters
    ----------
    html : str
        The whole page.

    Examples
    --------
    >>> from galileomix import Galileo
    >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
    >>> report = Galileo(random_state=0).fit(table).report(table)
    >>> report.html.startswith("<!doctype html>")
    True
    """

    html: str = field(repr=False)

    def __repr__(self) -> str:
        return f"Report(a page of {len(self.html.encode()) / 1000:,.0f} kB; save(path) writes it)"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file; an existing one is replaced when the new one is whole.

        Parameters
        ----------
        path : str or path-like
            It ends in ``.html``.

        Raises
        ------
        ParameterError
            Where the name ends in anything else.
        OSError
            Where the file cannot be written.
        """
        check_page_name(path)
        with replacing(path) as file:
            file.write(self.html.encode())

    def _repr_html_(self) -> str:
        """Return the page in a frame that can do nothing outside of itself."""
        page = html.escape(self.html, quote=True)
        return (
            f'<iframe title="Galileo report" sandbox="allow-scripts" width="100%" '
            f'height="{FRAME_HEIGHT}" style="border: 0" srcdoc="{page}"></iframe>'
        )
