"""Which blocks most pages of a site have in common."""

from collections.abc import Iterable, Mapping

from ragcrawler.chunking.parsing.markdown_blocks import list_markdown_blocks

_LEAST_PAGES = 20
_STAYING_SHARE = 0.6
_MOST_COUNTED = 200_000
_MOST_SHARED = 1_000


class BlockCounts:
    """Counts on how many pages of one site each block stands; memory is bounded.

    Args:
        share: of the pages, from which on a block is boilerplate.
        before: what was boilerplate before: it stays so down to six tenths of that share, so that a few pages
            more or less do not turn it back and forth.
    """

    def __init__(self, share: float, before: Mapping[str, str]) -> None:
        self._share = share
        self._before = before
        self._pages = 0
        self._counts: dict[str, int] = {}
        self._first: dict[str, str] = {}

    def add(self, document_id: str, markdown: str) -> None:
        """Count the blocks of a page, each once; pages come in the order of their ids."""
        self._pages += 1
        for name in {block.hash for block in list_markdown_blocks(markdown) if not block.is_code}:
            self._counts[name] = self._counts.get(name, 0) + 1
            if name not in self._first or self._before.get(name) == document_id:
                self._first[name] = document_id
        if len(self._counts) > _MOST_COUNTED:
            self._forget()

    def shared(self) -> dict[str, str]:
        """Hash of each block that is boilerplate -> the page that keeps it, as before or by the lowest id."""
        if self._pages < _LEAST_PAGES:
            return {}
        found = {name: count for name, count in self._counts.items() if count >= self._least(name)}
        common = sorted(found, key=lambda name: (-found[name], name))[:_MOST_SHARED]
        return {name: self._first[name] for name in common}

    def _least(self, name: str) -> float:
        return self._pages * self._share * (_STAYING_SHARE if name in self._before else 1.0)

    def _forget(self) -> None:
        """Drop what is on few pages, as far as it takes; what was boilerplate before is never dropped."""
        least = 2
        while len(self._counts) > _MOST_COUNTED // 2:
            kept = self._those(name for name, count in self._counts.items() if count >= least)
            self._counts = {name: self._counts[name] for name in kept}
            self._first = {name: self._first[name] for name in kept}
            least *= 2

    def _those(self, names: Iterable[str]) -> set[str]:
        return {*names, *(name for name in self._before if name in self._counts)}
