"""Searches that are kept between their steps, with what was counted and noted of them."""

from __future__ import annotations

from galileomix._fitted.search_trace import SearchTrace
from galileomix._model.search import Given, Search
from galileomix._passes.journal import Journal
from galileomix._passes.records import BlockRecords


class KeptSearch:
    """Keeps a search in a journal (see `SearchKeeper`)."""

    def __init__(self, journal: Journal, records: BlockRecords, trace: SearchTrace) -> None:
        self._journal, self._records, self._trace = journal, records, trace

    def resumed(self, given: Given) -> Search | None:
        """Return a search as it was kept last, its passes counted; None where it was not."""
        kept = self._journal.resumed(given)
        if kept is None:
            return None
        search, self._records.passes, self._trace.points = kept
        return search

    def keep(self, search: Search, given: Given) -> None:
        """Keep a search between two of its steps, if that is worth its time."""
        self._journal.keep((search, self._records.passes, self._trace.points), given)
