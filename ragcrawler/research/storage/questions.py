"""The questions of a research. One that is nearly there already is not asked again."""

from collections.abc import Sequence
from typing import Any

from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.questions import Question
from ragcrawler.research.same_question import asks_the_same
from ragcrawler.research.storage.vectors import to_text

_COLUMNS = "id, question_text, kind, coalesce(parent_node_id, ''), depth, source_url"
_NEIGHBOURS = 5
# The index is of vectors of one size; the exact cosine comes along.
NEAR = (
    f"SELECT {_COLUMNS}, 1 - (vector::vector({{size}}) <=> :vector::vector({{size}})) FROM questions "
    "WHERE vector_dims(vector) = {size} AND research_id = :research "
    f"ORDER BY vector::vector({{size}}) <=> :vector::vector({{size}}) LIMIT {_NEIGHBOURS}"
)
# Below it two questions do not ask the same; above it their words decide (benchmarks/research_same.py).
SAME_COSINE = 0.9


class StoredQuestions:
    """Keeps questions with their vectors.

    Args:
        session: of the research schema.
        research_id: whose questions.
        dimensions: of the vectors.
    """

    def __init__(self, session: PostgresSession, research_id: str, dimensions: int) -> None:
        self._session = session
        self._research_id = research_id
        self._dimensions = dimensions

    def all(self) -> list[Question]:
        """In the order in which they were asked."""
        query = f"SELECT {_COLUMNS} FROM questions WHERE research_id = :research ORDER BY position"
        return [Question(*row) for row in self._session.rows(query, research=self._research_id)]

    def add(self, question: Question, vector: Sequence[float]) -> Question:
        """Enter a question; the one that is there already where one asks the same.

        The B-tree finds equal texts, HNSW near ones, and cosine and words decide about these.
        """
        return self._session.transaction(lambda: self._add(question, vector))

    def near(self, vector: Sequence[float]) -> list[Question]:
        """The questions that may ask the same, the nearest first."""
        rows = self._session.transaction(lambda: self._neighbours(vector))
        return [Question(*row[:-1]) for row in rows if float(row[-1]) >= SAME_COSINE]

    def insert(self, question: Question, vector: Sequence[float]) -> None:
        """Enter a question that is not there."""
        self._session.rows(
            "INSERT INTO questions (research_id, id, parent_node_id, question_text, kind, depth, source_url, "
            "vector) VALUES (:research, :id, :parent, :text, :kind, :depth, :source, :vector::vector)",
            research=self._research_id,
            id=question.id,
            parent=question.parent_id or None,
            text=question.text,
            kind=question.kind,
            depth=question.depth,
            source=question.source_url,
            vector=to_text(vector),
        )

    def _neighbours(self, vector: Sequence[float]) -> list[tuple[Any, ...]]:
        # The index has the questions of all researches: it goes on until enough of this one are found.
        self._session.rows("SELECT set_config('hnsw.iterative_scan', 'strict_order', true)")
        query = NEAR.format(size=self._dimensions)
        return self._session.rows(query, vector=to_text(vector), research=self._research_id)

    def _add(self, question: Question, vector: Sequence[float]) -> Question:
        query = f"SELECT {_COLUMNS} FROM questions WHERE research_id = :research AND id = :id"
        known = self._session.rows(query, research=self._research_id, id=question.id)
        if known:
            return Question(*known[0])
        same = (near for near in self.near(vector) if asks_the_same(question.text, near.text))
        known_in_other_words = None if question.kind == "goal" else next(same, None)
        if known_in_other_words is None:
            self.insert(question, vector)
        return known_in_other_words or question
