"""All that one research remembers."""

from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.storage.pages import StoredPages
from ragcrawler.research.storage.questions import StoredQuestions
from ragcrawler.research.storage.tasks import StoredTasks
from ragcrawler.research.storage.vectors import ensure_indexes


class StoredResearch:
    """The parts of one research in the database; one thread at a time.

    Args:
        session: of the research schema.
        research_id: a research that was begun.
        dimensions: of the embedding model's vectors.

    Attributes:
        questions: with their lineage.
        tasks: the URLs to fetch.
        pages: that were read, with their facts.
    """

    def __init__(self, session: PostgresSession, research_id: str, dimensions: int) -> None:
        ensure_indexes(session, dimensions)
        self.questions = StoredQuestions(session, research_id, dimensions)
        self.tasks = StoredTasks(session, research_id)
        self.pages = StoredPages(session, research_id)
