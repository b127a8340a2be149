"""The extra fields of a chunk: its place in a table or list, its language, its flags."""

from collections import Counter
from collections.abc import Sequence

from ragcrawler.chunking.output.listings import Listings
from ragcrawler.chunking.sizing.units import SplitElement
from ragcrawler.chunking.strategies.draft import Draft
from ragcrawler.items import ChunkExtra


class Extras:
    """Knows all drafts of a document, for a part says how many there are."""

    def __init__(self, drafts: Sequence[Draft], slug: str, min_tokens: int, listings: Listings) -> None:
        self._drafts = drafts
        self._is_short = len(drafts) == 1 and drafts[0].tokens < min_tokens
        self._slug = slug
        self._listings = listings
        self._elements = [_elements(draft) for draft in drafts]
        self._totals = Counter(element for elements in self._elements for element in elements)
        self._seen: Counter[SplitElement] = Counter()

    def of(self, position: int, chunk_id: str) -> ChunkExtra:
        """The extra of one chunk; to be asked in order of position."""
        draft = self._drafts[position]
        found = {element.kind: element for element in reversed(self._elements[position])}
        table, items = found.get("table"), found.get("list")
        full_text = "\n".join(unit.full_text for unit in draft.units if unit.full_text)
        extra = ChunkExtra(
            table_id=f"{self._slug}_table_{table.ordinal}" if table else "",
            list_id=f"{self._slug}_list_{items.ordinal}" if items else "",
            chunk_index=self._seen[table] if table else 0,
            total_chunks=self._totals[table] if table else 0,
            item_range=_item_range(draft, items) if items else "",
            language=next((unit.language for unit in draft.units if unit.language), ""),
            oversized=any(unit.oversized for unit in draft.units),
            full_document=self._is_short,
            full_text_key=f"{chunk_id}_full_text" if full_text else "",
            full_text=full_text,
            kind=self._listings.kind(draft),
            headings=_headings(draft),
        )
        self._seen.update(self._elements[position])
        return extra


def _elements(draft: Draft) -> list[SplitElement]:
    return list(dict.fromkeys(unit.element for unit in draft.units if unit.element))


def _headings(draft: Draft) -> tuple[str, ...]:
    """Where several sections are in the chunk; the heading of one alone is in its path."""
    if len(draft.sections) == 1:
        return ()
    return tuple(section.heading for section in draft.sections if section.heading)


def _item_range(draft: Draft, items: SplitElement) -> str:
    numbers = [unit.number for unit in draft.units if unit.element == items]
    return f"{min(numbers)}-{max(numbers)} of {items.total}"
