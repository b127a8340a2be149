"""What a research remembers in PostgreSQL."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.errors import ResearchError, TemplateError
from ragcrawler.research.evidence.facts import Fact, PageQuote
from ragcrawler.research.questions import goal_question
from ragcrawler.research.storage.database import SCHEMA, ResearchDatabase, ResearchRecord
from ragcrawler.research.storage.pages import ReadPage
from ragcrawler.research.storage.research import StoredResearch
from ragcrawler.research.storage.tasks import ScoutTask
from ragcrawler.research.storage.vectors import ensure_indexes
from ragcrawler.research.templates import parse_template

# In another order than that of JSONB, which is by length.
TEMPLATE = parse_template('{"manufacturer": "str", "founded": "date"}', "makers")
GOAL = goal_question("Who makes pumps?")
MARKDOWN = "Über: Acme 🚀 was founded in 1999."
PAGE = ReadPage("https://a.org/", "hash", "A", GOAL.id, new_facts=1)
FACT = Fact(
    *("f1", ("acme",), "founded", "1999", "1999"),
    PageQuote("https://a.org/", "hash", 6, 34, MARKDOWN[6:34]),
    *("supported", GOAL.id),
)


@pytest.fixture
def database(postgres_address: PostgresAddress) -> Iterator[ResearchDatabase]:
    with PostgresSession(postgres_address, schema=SCHEMA) as session:
        yield ResearchDatabase(session)


@pytest.fixture
def stored(database: ResearchDatabase) -> StoredResearch:
    database.begin(ResearchRecord("r1", GOAL.text, TEMPLATE, {"depth": 3}, "model"))
    research = StoredResearch(database.session, "r1", 3)
    research.questions.add(GOAL, (1.0, 0.0, 0.0))
    return research


def test_templates_are_kept_and_the_seeded_ones_are_not_brought_back(database: ResearchDatabase) -> None:
    database.put_template(TEMPLATE)
    database.remove_template("history")
    database = ResearchDatabase(database.session)
    assert [each.name for each in database.templates()] == [
        *("company", "economy", "makers", "science", "technology")
    ]
    assert database.template("makers") == TEMPLATE  # with its fields in their order
    with pytest.raises(TemplateError, match="there are company, economy, makers"):
        database.template("history")


def test_a_research_is_begun_once_ended_and_reopened(database: ResearchDatabase) -> None:
    record = ResearchRecord("r1", "A goal", TEMPLATE, {"depth": 3}, "model")
    assert database.begin(record).template == TEMPLATE
    assert database.begin(replace(record, goal="Another")).goal == "A goal"
    database.end("r1", "queue_empty")
    assert database.research("r1").end_reason == "queue_empty"
    database.reopen("r1", {"depth": 5})
    (again,) = database.researches()
    assert (again.state, again.options, again.ended_at) == ("open", {"depth": 5}, None)
    with pytest.raises(ResearchError, match="--list"):
        database.research("r2")


def test_a_question_that_was_asked_in_other_words_is_not_asked_again(stored: StoredResearch) -> None:
    first = stored.questions.add(GOAL.child("Where is Acme?", "lead", "https://a.org/"), (0.0, 1.0, 0.0))
    near = stored.questions.add(GOAL.child("In which place is Acme?", "lead"), (0.0, 1.0, 0.2))
    far = stored.questions.add(GOAL.child("When was Acme?", "lead"), (0.0, 1.0, 1.0))
    same = stored.questions.add(GOAL.child("where is ACME", "lead"), (1.0, 0.0, 0.0))
    assert (near, same) == (first, first)
    assert stored.questions.all() == [GOAL, first, far]
    assert (first.parent_id, first.depth) == (GOAL.id, 1)


def test_a_question_that_is_near_and_asks_for_something_else_is_asked(stored: StoredResearch) -> None:
    near = (0.0, 1.0, 0.0)
    texts = [
        "When was Python 3.1 released?",
        "When was Python 3.10 released?",
        "When was Python 3.1 planned?",
    ]
    for text in texts:
        stored.questions.add(GOAL.child(text, "lead"), near)
    stored.questions.add(GOAL.child("What is the release date of Python 3.10?", "lead"), near)
    assert [question.text for question in stored.questions.all()] == [GOAL.text, *texts]


def test_near_questions_are_found_by_the_index(stored: StoredResearch) -> None:
    session = stored.questions._session
    session.rows("SET enable_seqscan = off")
    session.rows("SET enable_sort = off")
    plan = session.rows(
        "EXPLAIN SELECT id FROM questions WHERE vector_dims(vector) = 3 "
        "ORDER BY vector::vector(3) <=> '[1,0,0]'::vector(3) LIMIT 5"
    )
    assert "questions_near_3" in json.dumps(plan)


def test_vectors_that_no_index_can_hold_are_refused(stored: StoredResearch) -> None:
    with pytest.raises(PostgresError, match="4096 dimensions"):
        ensure_indexes(stored.questions._session, 4096)


def test_the_more_similar_link_to_a_url_counts_while_it_waits(stored: StoredResearch) -> None:
    task = ScoutTask("https://a.org/", GOAL.id, "https://b.org/", "Acme", 1, 0.3)
    better = replace(task, anchor="Acme pumps", similarity=0.5, first_score=0.7)
    stored.tasks.add([task])
    stored.tasks.add([better])
    stored.tasks.add([replace(task, similarity=0.4)])
    assert stored.tasks.queued() == [better]
    stored.tasks.set_state([task.url], "done")
    stored.tasks.add([replace(task, similarity=0.9)])
    assert (stored.tasks.queued(), stored.tasks.counts()) == ([], {"done": 1})


def test_what_was_asked_for_when_the_process_died_waits_again(stored: StoredResearch) -> None:
    stored.tasks.add([ScoutTask("https://a.org/", GOAL.id)])
    stored.tasks.set_state(["https://a.org/"], "asked")
    stored.tasks.requeue_asked()
    assert [task.url for task in stored.tasks.queued()] == ["https://a.org/"]


def test_a_page_is_stored_with_its_facts_and_the_quote_is_cut_from_the_snapshot(
    stored: StoredResearch,
) -> None:
    for _ in range(2):  # after a kill a page is read once more
        stored.pages.save(PAGE, MARKDOWN, [FACT], [(0.0, 1.0, 0.0)])
    assert stored.pages.all() == [PAGE]
    assert stored.pages.facts() == [FACT]
    assert stored.pages.snapshot("hash") == MARKDOWN
    stored.pages.set_state(["f1"], "contradicted")
    assert [fact.state for fact in stored.pages.facts()] == ["contradicted"]


def test_a_page_whose_facts_cannot_be_stored_is_not_stored(stored: StoredResearch) -> None:
    wrong = replace(FACT, question_id="there is none")
    with pytest.raises(PostgresError):
        stored.pages.save(PAGE, MARKDOWN, [wrong], [(0.0, 1.0, 0.0)])
    assert stored.pages.all() == []
