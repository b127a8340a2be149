"""The counts of the pipelines for each page, kept until the page is done."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_page: ContextVar[str] = ContextVar("_page", default="")


class PageCounts:
    """The counts of a page that a break ends are not those of the crawl: a later run counts it anew."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    @contextmanager
    def counting(self, page_id: str) -> Iterator[None]:
        """Count for this page within the block, and in what the block awaits."""
        token = _page.set(page_id)
        try:
            yield
        finally:
            _page.reset(token)

    def add(self, name: str, amount: int) -> None:
        """Count for the page of the block, if there is one."""
        if page_id := _page.get():
            self._counts.setdefault(page_id, Counter())[name] += amount

    def pop(self, page_id: str) -> Mapping[str, int]:
        """The counts of a page, which are forgotten."""
        return self._counts.pop(page_id, {})
