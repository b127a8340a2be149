"""How fast a research finds a question that was asked before: by the HNSW index, and by looking at all.

    python benchmarks/research_near.py [--questions 10000] [--lookups 200]

Prints the median of both in milliseconds, their ratio, the share of look-ups in which both agree, and
the plans.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.embedded_server import EmbeddedServer
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.questions import Question, goal_question
from ragcrawler.research.storage.database import SCHEMA, ResearchDatabase, ResearchRecord
from ragcrawler.research.storage.questions import NEAR, StoredQuestions
from ragcrawler.research.storage.research import StoredResearch
from ragcrawler.research.storage.vectors import to_text
from ragcrawler.research.templates.seeded import seeded_templates

DIMENSIONS, SUBJECTS, SPREAD = 384, 500, 0.6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--lookups", type=int, default=200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)  # as root the server runs as another user
        with EmbeddedServer(Path(folder, "server"), is_durable=False) as server:
            print(json.dumps(measure(server.address, args.questions, args.lookups), indent=1))


def measure(address: PostgresAddress, number: int, lookups: int) -> dict[str, object]:
    random.seed(1)
    subjects = [vector() for _ in range(SUBJECTS)]
    wanted = [near(random.choice(subjects)) for _ in range(lookups)]
    with PostgresSession(address, schema=SCHEMA) as session:
        database = ResearchDatabase(session)
        database.begin(ResearchRecord("r", "goal", seeded_templates()[0], {}, "model"))
        questions = StoredResearch(session, "r", DIMENSIONS).questions
        session.transaction(lambda: fill(questions, goal_question("goal"), subjects, number))
        session.rows("ANALYZE questions")
        indexed, found = timed(questions, wanted)
        plan = planned(session, wanted[0])
    with PostgresSession(address, schema=SCHEMA) as session:  # a plan is made once a session
        session.rows("SET enable_indexscan = off")
        exact, truth = timed(StoredQuestions(session, "r", DIMENSIONS), wanted)
        exact_plan = planned(session, wanted[0])
    return {
        "questions": number,
        "index_ms": round(indexed, 2),
        "exact_ms": round(exact, 2),
        "ratio": round(indexed / exact, 3),
        "agree": sum(a == b for a, b in zip(found, truth, strict=True)) / lookups,
        "plan": plan,
        "exact_plan": exact_plan,
    }


def planned(session: PostgresSession, wanted: list[float]) -> list[str]:
    statement = NEAR.format(size=DIMENSIONS)
    rows = session.rows(f"EXPLAIN {statement}", vector=to_text(wanted), research="r")
    return [line[:100] for (line,) in rows]


def fill(questions: StoredQuestions, goal: Question, subjects: list[list[float]], number: int) -> None:
    for index in range(number):
        question = goal.child(f"question {index}", "lead") if index else goal
        questions.insert(question, near(random.choice(subjects)) if index else vector())


def timed(questions: StoredQuestions, wanted: list[list[float]]) -> tuple[float, list[object]]:
    """Median milliseconds of a look-up, and what each found."""
    taken, found = [], []
    for each in wanted:
        began = time.perf_counter()
        found.append(questions.near(each))
        taken.append((time.perf_counter() - began) * 1_000)
    return statistics.median(taken), found


def vector(draw: Callable[[float, float], float] = random.gauss) -> list[float]:
    return [draw(0.0, 1.0) for _ in range(DIMENSIONS)]


def near(subject: list[float]) -> list[float]:
    return [value + random.gauss(0.0, SPREAD) for value in subject]


if __name__ == "__main__":
    main()
