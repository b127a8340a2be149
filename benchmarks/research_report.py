"""How large the report of a large research is, and what it costs to make.

    python benchmarks/research_report.py [--facts 10000]

Four facts a page, one page a row. Prints for each format megabytes and CPU seconds.
"""

import argparse
import json
import time
from datetime import UTC, datetime

from ragcrawler.research.evidence.facts import Fact, PageQuote
from ragcrawler.research.questions import Question, goal_question
from ragcrawler.research.report.narrative import Narrative
from ragcrawler.research.report.report import Report
from ragcrawler.research.report.write import FORMATS
from ragcrawler.research.storage.database import ResearchRecord
from ragcrawler.research.storage.pages import ReadPage
from ragcrawler.research.table import build_rows
from ragcrawler.research.templates import parse_template

TEMPLATE = parse_template(
    '{"name": "str", "founded": "date", "city": "str", "products": "list[str]?"}', "makers"
)
HOSTS = 50


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", type=int, default=10_000)
    report = made_report(parser.parse_args().facts // len(TEMPLATE.leaves))
    for name, each in FORMATS.items():
        began = time.process_time()
        content = each.render(report)
        size = len(content if isinstance(content, bytes) else content.encode())
        seconds = time.process_time() - began
        print(json.dumps({"format": name, "megabytes": round(size / 1e6, 1), "cpu": round(seconds, 1)}))


def made_report(rows: int) -> Report:
    goal, now = goal_question("Makers of wind turbines"), datetime.now(UTC)
    pages = [
        ReadPage(f"https://h{n % HOSTS}.org/{n}", f"h{n}", f"Maker number {n}", goal.id) for n in range(rows)
    ]
    facts = [fact for number, page in enumerate(pages) for fact in facts_of(number, page, goal)]
    record = ResearchRecord("makers", goal.text, TEMPLATE, {}, "m", "ended", "queue_empty", now, now)
    return Report(record, tuple(build_rows(facts, TEMPLATE)), Narrative(), (goal,), tuple(pages))


def facts_of(number: int, page: ReadPage, goal: Question) -> list[Fact]:
    values = (f"Maker {number}", str(1900 + number % 100), f"Town {number}", f"T-{number}")
    text = "{} was founded in {}, sits in {}, and makes the {}, a turbine of some megawatts.".format(*values)
    quote, row = PageQuote(page.url, page.page_hash, 0, len(text), text), (f"maker {number}",)
    return [
        Fact(f"f{number}-{leaf.path}", row, leaf.path, value, value, quote, "supported", goal.id)
        for leaf, value in zip(TEMPLATE.leaves, values, strict=True)
    ]


if __name__ == "__main__":
    main()
