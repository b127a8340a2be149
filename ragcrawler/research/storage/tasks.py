"""The scout tasks of a research: URLs, and what became of them."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from ragcrawler.postgres.session import PostgresSession

TaskState = Literal["queued", "asked", "done", "pruned", "too_deep", "failed"]


@dataclass(frozen=True, slots=True)
class ScoutTask:
    """A URL to fetch for a question.

    Attributes:
        url: canonical.
        question_id: it is fetched for.
        parent_url: the page that links to it, "" where the user or a search engine named it.
        anchor: the words of the link.
        depth: links followed from a named URL.
        similarity: of the link to the goal; None for a named URL, which goes first.
        first_score: its percentile among all links that were seen by then; None for a named URL.
    """

    url: str
    question_id: str
    parent_url: str = ""
    anchor: str = ""
    depth: int = 0
    similarity: float | None = None
    first_score: float | None = None


class StoredTasks:
    """Keeps tasks.

    Args:
        session: of the research schema.
        research_id: whose tasks.
    """

    def __init__(self, session: PostgresSession, research_id: str) -> None:
        self._session = session
        self._research_id = research_id

    def add(self, tasks: Iterable[ScoutTask]) -> None:
        """Enter tasks; of a URL that waits already the more similar link counts."""
        records = [asdict(task) for task in tasks]
        if records:
            self._session.rows(_ADD, research=self._research_id, tasks=json.dumps(records))

    def set_state(self, urls: Iterable[str], state: TaskState) -> None:
        """Say what became of some URLs."""
        self._session.rows(_SET_STATE, research=self._research_id, urls=json.dumps(list(urls)), state=state)

    def requeue_asked(self) -> None:
        """Let those be asked for again that were under way when the process ended."""
        self._session.rows(
            "UPDATE tasks SET state = 'queued' WHERE research_id = :research AND state = 'asked'",
            research=self._research_id,
        )

    def queued(self) -> list[ScoutTask]:
        """Those that wait, in the order in which they came."""
        rows = self._session.rows(_QUEUED, research=self._research_id)
        return [ScoutTask(*row) for row in rows]

    def similarities(self) -> list[float]:
        """Of all links that were seen."""
        rows = self._session.rows(_SIMILARITIES, research=self._research_id)
        return [float(row[0]) for row in rows]

    def counts(self) -> dict[str, int]:
        """How many there are of each state."""
        query = "SELECT state, count(*) FROM tasks WHERE research_id = :research GROUP BY state"
        return {state: int(count) for state, count in self._session.rows(query, research=self._research_id)}


_ADD = """
INSERT INTO tasks (research_id, url, question_id, parent_url, anchor, depth, similarity, first_score)
SELECT :research, url, question_id, parent_url, anchor, depth, similarity, first_score
FROM jsonb_to_recordset(:tasks::jsonb) AS given (
    url text, question_id text, parent_url text, anchor text, depth integer, similarity double precision,
    first_score double precision)
ON CONFLICT (research_id, url) DO UPDATE SET
    question_id = excluded.question_id, parent_url = excluded.parent_url, anchor = excluded.anchor,
    depth = excluded.depth, similarity = excluded.similarity, first_score = excluded.first_score,
    state = 'queued'
WHERE tasks.state IN ('queued', 'pruned') AND tasks.similarity < excluded.similarity
"""
_SET_STATE = """
UPDATE tasks SET state = :state
WHERE research_id = :research AND url IN (SELECT jsonb_array_elements_text(:urls::jsonb))
"""
_QUEUED = """
SELECT url, question_id, parent_url, anchor, depth, similarity, first_score FROM tasks
WHERE research_id = :research AND state = 'queued' ORDER BY position
"""
_SIMILARITIES = "SELECT similarity FROM tasks WHERE research_id = :research AND similarity IS NOT NULL"
