"""What stands for the page where a URL was found: the id of its row."""

from collections.abc import Callable

from ragcrawler.frontier.states.protocol import key64
from ragcrawler.urls.identity import url_key

_MOST = 8192  # that are remembered


class Parents:
    """Remembers some both ways: a page has many links.

    Args:
        page_of: row id and URL of the page with a key; 0 and "" where it has no row.
        url_of_row: the URL of a row, "" where there is none.
    """

    def __init__(self, page_of: Callable[[int], tuple[int, str]], url_of_row: Callable[[int], str]) -> None:
        self._page_of = page_of
        self._url_of_row = url_of_row
        self._stored: dict[str, int | str] = {}
        self._urls: dict[int, str] = {}

    def stored(self, url: str) -> int | str:
        """The id of the page's row; the URL where it has none."""
        known = self._stored.get(url)
        if known is None:
            if len(self._stored) >= _MOST:
                self._stored.clear()
            row_id, row_url = self._page_of(key64(url_key(url))) if url.startswith("http") else (0, "")
            # Of several spellings of a page one is in its row.
            known = self._stored[url] = row_id if url and row_url == url else url
        return known

    def url_of(self, stored: int | str | None) -> str:
        """The way back."""
        if not isinstance(stored, int):
            return stored or ""
        url = self._urls.get(stored)
        if url is None:
            if len(self._urls) >= _MOST:
                self._urls.clear()
            url = self._urls[stored] = self._url_of_row(stored)
        return url

    def forget(self) -> None:
        """Rows are gone: another may get the id of one."""
        self._stored.clear()
        self._urls.clear()
