"""Claims of texts that the processes of a crawl make in one database."""

from typing import TYPE_CHECKING

from ragcrawler.catalogue.near_index import most_similar
from ragcrawler.catalogue.text_claims import (
    GROUP_DIGITS,
    NearMatch,
    TextClaims,
    TextHolder,
    TextMatches,
    group_of,
)
from ragcrawler.items import Document

if TYPE_CHECKING:
    from ragcrawler.catalogue.postgres.catalogue import PostgresCatalogue
    from ragcrawler.catalogue.record import DocumentRecord

_MOST_COMPARED = 200
# What a crawl that never ended has left.
_KEPT = "90 days"
# Fresh tables have no statistics, so the way is given: readings by their group, not by their crawl (`|| ''`
# keeps that index out), and one by one beside stored documents, in the collation of their own index.
_NEAR = f"""
    SELECT documents.document_id, documents.near_hash, '' FROM documents LEFT JOIN LATERAL (
        SELECT 1 AS is_read FROM text_readings
        WHERE crawl = :crawl AND text_readings.document_id = documents.document_id COLLATE "default"
        LIMIT 1
    ) reading ON true
    WHERE documents.near_hash <> '' AND left(documents.near_hash, {GROUP_DIGITS}) = :facts
        AND documents.document_id <> :id AND is_read IS NULL
    UNION ALL
    SELECT document_id, near_hash, url FROM text_readings
    WHERE crawl || '' = :crawl AND near_hash <> '' AND left(near_hash, {GROUP_DIGITS}) = :facts
        AND document_id <> :id
    LIMIT {_MOST_COMPARED}
"""  # noqa: S608 - no value in it
_IS_READ = "SELECT 1 FROM text_readings WHERE crawl = :crawl AND document_id = :id"
_VERSION = "SELECT max(version) FROM text_holders WHERE crawl = :crawl AND text_group = :text_group"


class PostgresClaims(TextClaims):
    """The claims of one crawl, made by any number of processes.

    Args:
        catalogue: of the collection.
        crawl: which one.
        similarity: from which two texts are near-duplicates; 0 for never.
    """

    def __init__(self, catalogue: "PostgresCatalogue", crawl: str, similarity: float) -> None:
        self._catalogue = catalogue
        self._crawl = crawl
        self._similarity = similarity

    def look(self, document: Document) -> TextMatches:
        catalogue = self._catalogue
        # Read first: what is entered while the rest is read makes the claim fail.
        version = self._version(document)
        named = catalogue.by_url(document.url)
        return TextMatches(
            own=catalogue.get(document.id),
            former=named if named is not None and named.document_id != document.id else None,
            holder=self._holder(document.content_hash),
            copy=self._copy(document),
            near=self._near(document),
            version=version,
        )

    def claim(self, document: Document, holder: TextHolder, version: int) -> bool:
        return self._catalogue.in_transaction(lambda: self._claim(document, holder, version))

    def end(self) -> None:
        for table, column in (("text_holders", "claimed_at"), ("text_readings", "read_at")):
            self._catalogue.rows(
                f"DELETE FROM {table} WHERE crawl = :crawl OR {column} < now() - interval '{_KEPT}'",  # noqa: S608 - names of our own
                crawl=self._crawl,
            )

    def _claim(self, document: Document, holder: TextHolder, version: int) -> bool:
        rows, crawl, group = self._catalogue.rows, self._crawl, group_of(document)
        rows("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))", name=f"{crawl} {group}")
        if self._version(document) != version:
            return False
        rows(
            "INSERT INTO text_holders (crawl, content_hash, text_group, version, document_id, url) "
            "VALUES (:crawl, :hash, :text_group, nextval('text_versions'), :id, :url) "
            "ON CONFLICT (crawl, content_hash) DO UPDATE SET version = excluded.version, "
            "text_group = excluded.text_group, document_id = excluded.document_id, url = excluded.url",
            crawl=crawl,
            hash=document.content_hash,
            text_group=group,
            id=holder.document_id,
            url=holder.url,
        )
        is_own = holder.document_id == document.id
        rows(
            "INSERT INTO text_readings (crawl, document_id, url, near_hash) "
            "VALUES (:crawl, :id, :url, :near_hash) ON CONFLICT (crawl, document_id) DO UPDATE SET "
            "url = excluded.url, near_hash = excluded.near_hash",
            crawl=crawl,
            id=document.id,
            url=document.url if is_own else "",
            near_hash=document.near_hash if is_own else "",
        )
        return True

    def _version(self, document: Document) -> int:
        ((version,),) = self._catalogue.rows(_VERSION, crawl=self._crawl, text_group=group_of(document))
        return int(version or 0)

    def _holder(self, content_hash: str) -> TextHolder | None:
        query = "SELECT document_id, url FROM text_holders WHERE crawl = :crawl AND content_hash = :hash"
        rows = self._catalogue.rows(query, crawl=self._crawl, hash=content_hash)
        return TextHolder(*rows[0]) if rows else None

    def _copy(self, document: Document) -> "DocumentRecord | None":
        copy = self._catalogue.by_content_hash(document.content_hash)
        if copy is None or copy.document_id == document.id:
            return None
        is_read = self._catalogue.rows(_IS_READ, crawl=self._crawl, id=copy.document_id)
        return None if is_read else copy

    def _near(self, document: Document) -> tuple[NearMatch, ...]:
        if not document.near_hash or not self._similarity:
            return ()
        rows = self._catalogue.rows(
            _NEAR, crawl=self._crawl, facts=document.near_hash[:GROUP_DIGITS], id=document.id
        )
        urls = {document_id: url for document_id, _, url in rows}
        hashes = [(document_id, near_hash) for document_id, near_hash, _ in rows]
        return tuple(
            NearMatch(each, urls[each], self._catalogue.get(each))
            for each in most_similar(document.near_hash, hashes, self._similarity)
        )
