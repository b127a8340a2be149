"""The page that shows in a browser how a research goes."""

import asyncio
from pathlib import Path

from ragcrawler.catalogue.exports.atomic_file import atomic_file
from ragcrawler.research.report.html import live_page
from ragcrawler.research.report.live import LiveState
from ragcrawler.research.report.write import FORMATS

_FILE = "live.html"


class LivePage:
    """Writes the page over, whole each time: a browser never loads a half of it.

    Args:
        folder: of the reports.

    Attributes:
        state: that was shown last; None for none.
    """

    def __init__(self, folder: Path) -> None:
        self.state: LiveState | None = None
        self._path = folder / _FILE
        self._writing = asyncio.Lock()

    async def show(self, state: LiveState, *, is_final: bool) -> None:
        """Write the page; a final one leads to the report, and is not loaded again.

        Raises:
            OSError: it cannot be written.
        """
        async with self._writing:
            self.state = state
            await asyncio.to_thread(self._write, live_page(state, FORMATS["html"].file if is_final else ""))

    def _write(self, content: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(self._path) as out:
            out.write(content.encode("utf-8", "replace"))
