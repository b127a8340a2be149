"""The pages that a research has read, their snapshots, and their facts."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.evidence.facts import Fact, FactState, PageQuote
from ragcrawler.research.storage.vectors import to_text


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read.

    Attributes:
        url: of the page.
        page_hash: of its snapshot.
        title: "" where it has none.
        question_id: under which it was read.
        parent_url: the page that led to it.
        depth: links followed from a named URL.
        error: why a part of it could not be read, "" where all was.
        new_facts: that no page before gave.
        invented: values for which the model pointed at no sentence.
        unread_parts: behind the bound.
        is_suspicious: it holds words that read like instructions to a model.
    """

    url: str
    page_hash: str
    title: str
    question_id: str
    parent_url: str = ""
    depth: int = 0
    error: str = ""
    new_facts: int = 0
    invented: int = 0
    unread_parts: int = 0
    is_suspicious: bool = False


class StoredPages:
    """Keeps pages and facts.

    Args:
        session: of the research schema.
        research_id: whose pages.
    """

    def __init__(self, session: PostgresSession, research_id: str) -> None:
        self._session = session
        self._research_id = research_id

    def save(
        self, page: ReadPage, markdown: str, facts: Sequence[Fact], vectors: Sequence[Sequence[float]]
    ) -> None:
        """Enter a page with its facts, all or nothing; once more for the same page changes nothing."""
        self._session.transaction(lambda: self._save(page, markdown, facts, vectors))

    def all(self) -> list[ReadPage]:
        """In the order in which they were read."""
        return [ReadPage(*row) for row in self._session.rows(_PAGES, research=self._research_id)]

    def facts(self) -> list[Fact]:
        """In the order in which they were found; the text of each quote is cut from the snapshot."""
        return [_fact(row) for row in self._session.rows(_FACTS, research=self._research_id)]

    def snapshot(self, page_hash: str) -> str:
        """The Markdown of a page as it was read.

        Raises:
            KeyError: no page with that hash was read.
        """
        query = "SELECT markdown FROM snapshots WHERE page_hash = :page_hash"
        rows = self._session.rows(query, page_hash=page_hash)
        if not rows:
            raise KeyError(page_hash)
        return str(rows[0][0])

    def set_state(self, fact_ids: Iterable[str], state: FactState) -> None:
        """Mark facts that others contradict, or no longer do."""
        query = (
            "UPDATE facts SET state = :state WHERE research_id = :research "
            "AND id IN (SELECT jsonb_array_elements_text(:ids::jsonb))"
        )
        self._session.rows(query, state=state, research=self._research_id, ids=json.dumps(list(fact_ids)))

    def _save(
        self, page: ReadPage, markdown: str, facts: Sequence[Fact], vectors: Sequence[Sequence[float]]
    ) -> None:
        # PostgreSQL's text holds every character but U+0000; offsets stay as they are.
        self._session.rows(
            "INSERT INTO snapshots (page_hash, markdown) VALUES (:page_hash, :markdown) "
            "ON CONFLICT DO NOTHING",
            page_hash=page.page_hash,
            markdown=markdown.replace("\0", "\ufffd"),
        )
        values: dict[str, Any] = {name: getattr(page, name) for name in ReadPage.__slots__}
        state = "errored" if page.error else "read"
        self._session.rows(_SAVE_PAGE, research=self._research_id, state=state, **values)
        records = [
            _fact_record(fact) | {"vector": to_text(vector)}
            for fact, vector in zip(facts, vectors, strict=True)
        ]
        if records:
            self._session.rows(_SAVE_FACTS, research=self._research_id, facts=json.dumps(records))


def _fact_record(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "question_id": fact.question_id,
        "row_key": list(fact.row),
        "extracted_facts": {"path": fact.path, "value": fact.value, "normal": fact.normal},
        "url": fact.quote.url,
        "page_hash": fact.quote.page_hash,
        "quote_start": fact.quote.start,
        "quote_end": fact.quote.end,
        "state": fact.state,
        "is_suspicious": fact.is_suspicious,
    }


def _fact(row: Sequence[Any]) -> Fact:
    fact_id, row_key, content, url, page_hash, start, end, text, state, question_id, is_suspicious = row
    quote = PageQuote(url, page_hash, start, end, text)
    path, value, normal = content["path"], content["value"], content["normal"]
    return Fact(fact_id, tuple(row_key), path, value, normal, quote, state, question_id, is_suspicious)


_PAGES = """
SELECT url, page_hash, title, question_id, parent_url, depth, error, new_facts, invented, unread_parts,
    is_suspicious
FROM pages WHERE research_id = :research ORDER BY position
"""
_FACTS = """
SELECT id, row_key, extracted_facts, url, page_hash, quote_start, quote_end,
    substr(markdown, quote_start + 1, quote_end - quote_start), state, question_id, is_suspicious
FROM facts JOIN snapshots USING (page_hash) WHERE research_id = :research ORDER BY position
"""
_SAVE_PAGE = """
INSERT INTO pages (research_id, url, page_hash, title, question_id, parent_url, depth, state, error,
    new_facts, invented, unread_parts, is_suspicious)
VALUES (:research, :url, :page_hash, :title, :question_id, :parent_url, :depth, :state, :error,
    :new_facts, :invented, :unread_parts, :is_suspicious)
ON CONFLICT (research_id, url) DO UPDATE SET
    page_hash = excluded.page_hash, state = excluded.state, error = excluded.error,
    invented = excluded.invented, unread_parts = excluded.unread_parts
"""
_SAVE_FACTS = """
INSERT INTO facts (research_id, id, question_id, row_key, extracted_facts, url, page_hash, quote_start,
    quote_end, state, is_suspicious, vector)
SELECT :research, id, question_id, row_key, extracted_facts, url, page_hash, quote_start, quote_end, state,
    is_suspicious, vector::vector
FROM jsonb_to_recordset(:facts::jsonb) AS given (
    id text, question_id text, row_key text[], extracted_facts jsonb, url text, page_hash text,
    quote_start integer, quote_end integer, state text, is_suspicious boolean, vector text)
ON CONFLICT (research_id, id) DO NOTHING
"""
