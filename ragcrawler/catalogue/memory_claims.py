"""Claims of texts that one process makes."""

from ragcrawler.catalogue.near_index import NearIndex
from ragcrawler.catalogue.protocol import CatalogueReader
from ragcrawler.catalogue.text_claims import NearMatch, TextClaims, TextHolder, TextMatches, group_of
from ragcrawler.items import Document


class MemoryClaims(TextClaims):
    """The claims of a crawl of one process.

    Args:
        catalogue: of the collection; read whole, once, for the fingerprints in it.
        similarity: from which two texts are near-duplicates; 0 for never.
    """

    def __init__(self, catalogue: CatalogueReader, similarity: float) -> None:
        self._catalogue = catalogue
        self._near = NearIndex(similarity)
        self._is_loaded = False
        self._holders: dict[str, TextHolder] = {}
        self._urls: dict[str, str] = {}
        self._versions: dict[str, int] = {}

    def look(self, document: Document) -> TextMatches:
        self._load()
        catalogue = self._catalogue
        named, copy = catalogue.by_url(document.url), catalogue.by_content_hash(document.content_hash)
        is_copy = copy is not None and copy.document_id not in {document.id, *self._urls}
        return TextMatches(
            own=catalogue.get(document.id),
            former=named if named is not None and named.document_id != document.id else None,
            holder=self._holders.get(document.content_hash),
            copy=copy if is_copy else None,
            near=tuple(
                NearMatch(each, self._urls.get(each, ""), catalogue.get(each))
                for each in self._near.find(document.id, document.near_hash)
            ),
            version=self._versions.get(group_of(document), 0),
        )

    def claim(self, document: Document, holder: TextHolder, version: int) -> bool:
        group = group_of(document)
        if self._versions.get(group, 0) != version:
            return False
        self._versions[group] = version + 1
        self._holders[document.content_hash] = holder
        is_own = holder.document_id == document.id
        self._urls[document.id] = document.url if is_own else ""
        self._near.put(document.id, document.near_hash if is_own else "")
        return True

    def end(self) -> None:
        self._holders.clear()
        self._urls.clear()
        self._versions.clear()

    def _load(self) -> None:
        if not self._is_loaded:
            for entry in self._catalogue.near_hashes():
                self._near.put(entry.document_id, entry.near_hash)
            self._is_loaded = True
