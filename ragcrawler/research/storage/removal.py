"""Pages taken out of researches: their facts, their snapshots, and what their links said."""

from collections.abc import Callable, Mapping, Sequence

from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.storage.database import SCHEMA

REMOVED = "(removed)"
"""Stands for a question that a page has led to which was taken out."""


def has_researches(session: PostgresSession) -> bool:
    """Whether a database has ever seen a research."""
    query = "SELECT 1 FROM pg_tables WHERE schemaname = :schema AND tablename = 'researches'"
    return bool(session.rows(query, schema=SCHEMA))


def covered_pages(session: PostgresSession, covers: Callable[[str], bool]) -> Mapping[str, Sequence[str]]:
    """By research, the URLs that it has read, or means to, and that are covered."""
    found: dict[str, list[str]] = {}
    for research_id, url in session.rows(_URLS):
        if covers(url):
            found.setdefault(research_id, []).append(url)
    return found


def count_facts(session: PostgresSession, research_id: str, urls: Sequence[str]) -> int:
    """How many facts of a research these pages bear out."""
    query = "SELECT count(*) FROM facts WHERE research_id = :research AND url = ANY(:urls::text[])"
    return int(session.rows(query, research=research_id, urls=list(urls))[0][0])


def remove_pages(session: PostgresSession, research_id: str, urls: Sequence[str]) -> None:
    """Take pages out of a research; questions to which they led lose their text, and stay for their pages."""

    def remove() -> None:
        for statement in _REMOVE:
            session.rows(statement, research=research_id, urls=list(urls))
        session.rows(_REMOVE_QUESTIONS, research=research_id, urls=list(urls), removed=REMOVED)
        session.rows(_REMOVE_SNAPSHOTS)

    session.transaction(remove)


_URLS = "SELECT research_id, url FROM pages UNION SELECT research_id, url FROM tasks ORDER BY 1, 2"
_REMOVE = (
    "DELETE FROM facts WHERE research_id = :research AND url = ANY(:urls::text[])",
    "DELETE FROM pages WHERE research_id = :research AND url = ANY(:urls::text[])",
    "DELETE FROM tasks WHERE research_id = :research AND url = ANY(:urls::text[])",
    "UPDATE pages SET parent_url = '' WHERE research_id = :research AND parent_url = ANY(:urls::text[])",
    "UPDATE tasks SET parent_url = '', anchor = '' "
    "WHERE research_id = :research AND parent_url = ANY(:urls::text[])",
)
_REMOVE_QUESTIONS = """
UPDATE questions SET question_text = :removed, source_url = ''
WHERE research_id = :research AND source_url = ANY(:urls::text[])
"""
# Another page, or another research, may have had the same text.
_REMOVE_SNAPSHOTS = """
DELETE FROM snapshots WHERE page_hash NOT IN (SELECT page_hash FROM pages UNION SELECT page_hash FROM facts)
"""
