"""What was taken out, taken out of researches too: pages, facts, and the reports that show them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from ragcrawler.config.models.research import ledger_path
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.report.narrative import CitedSentence, Narrative
from ragcrawler.research.report.report import Report
from ragcrawler.research.report.write import FORMATS, write_reports
from ragcrawler.research.storage.database import ResearchDatabase
from ragcrawler.research.storage.pages import StoredPages
from ragcrawler.research.storage.questions import StoredQuestions
from ragcrawler.research.storage.removal import (
    REMOVED,
    count_facts,
    covered_pages,
    has_researches,
    remove_pages,
)
from ragcrawler.research.storage.tasks import StoredTasks
from ragcrawler.research.table import build_rows
from ragcrawler.run.removal.place import LeftError, Premises, Taking, rewrite_file
from ragcrawler.run.research.database import OpenDatabase
from ragcrawler.run.research.request import account_of
from ragcrawler.run.research.spend import read_spend

_FOLDER = "research"
_LIVE = "live.html"


def take_facts(premises: Premises, taking: Taking) -> Mapping[str, int]:
    """By research, how many facts its pages bear out that are covered.

    The report of a research is written anew, without the sentences that cite what is gone, and the answers
    that a model gave for it are forgotten; what they cost stays counted.

    Raises:
        LeftError: the database of researches cannot be used.
        OSError: a report cannot be written.
        LanguageModelError: the ledger of calls cannot be changed.
    """
    try:
        with _researches(premises) as researches:
            return {} if researches is None else _take(premises, taking, researches)
    except PostgresError as error:
        raise LeftError(f"facts of researches: {error}") from error


@contextmanager
def _researches(premises: Premises) -> Iterator[ResearchDatabase | None]:
    """The database of researches; None where there never was one."""
    address = premises.configuration.postgres
    folder = premises.configuration.output_folder / "postgres"
    if address is None:
        is_there = folder.exists()
    else:
        with PostgresSession(address) as session:
            is_there = has_researches(session)
    if not is_there:
        yield None
        return
    with OpenDatabase(address, folder) as database:
        yield database.researches


def _take(premises: Premises, taking: Taking, researches: ResearchDatabase) -> Mapping[str, int]:
    session, counts = researches.session, {}
    for research_id, urls in covered_pages(session, taking.covered.covers).items():
        counts[f"facts of research {research_id}"] = count_facts(session, research_id, urls)
        if not taking.is_dry:
            _forget_answers(premises, research_id)
            _rewrite_report(premises, researches, research_id, frozenset(urls))
            remove_pages(session, research_id, urls)  # last: they lead to the rest, whatever broke it off
    return counts


def _forget_answers(premises: Premises, research_id: str) -> None:
    path = ledger_path(premises.settings, premises.configuration.output_folder)
    if path.exists():
        with closing(CallLedger(path)) as ledger:
            ledger.forget(lambda _: True, account=account_of(research_id))
        rewrite_file(path)


def _rewrite_report(
    premises: Premises, researches: ResearchDatabase, research_id: str, gone: frozenset[str]
) -> None:
    """As it will be without these pages."""
    folder = premises.configuration.output_folder / _FOLDER / research_id
    (folder / _LIVE).unlink(missing_ok=True)
    path = folder / FORMATS["json"].file
    if not path.exists():
        return
    session, record = researches.session, researches.research(research_id)
    pages, tasks = StoredPages(session, research_id), StoredTasks(session, research_id)
    facts = [fact for fact in pages.facts() if fact.quote.url not in gone]
    spend = read_spend(ledger_path(premises.settings, premises.configuration.output_folder), research_id)
    report = Report(
        record=record,
        rows=tuple(build_rows(facts, record.template)),
        narrative=_narrative(path, facts),
        questions=tuple(
            replace(each, text=REMOVED, source_url="") if each.source_url in gone else each
            for each in StoredQuestions(session, research_id, dimensions=0).all()
        ),
        pages=tuple(
            replace(page, parent_url="") if page.parent_url in gone else page
            for page in pages.all()
            if page.url not in gone
        ),
        unverified=sum(not fact.is_shown for fact in facts),
        counts={f"tasks {state}": count for state, count in sorted(tasks.counts().items())} | spend,
    )
    write_reports(report, folder)


def _narrative(path: Path, facts: Sequence[Fact]) -> Narrative:
    """The sentences of the last report whose facts are all there still."""
    known = {fact.id: fact for fact in facts}
    try:
        written = [(each["text"], each["facts"]) for each in json.loads(path.read_bytes())["sentences"]]
    except (ValueError, KeyError, TypeError):  # of an earlier release, or cut by a break
        written = []
    return Narrative(
        tuple(
            CitedSentence(text, tuple(known[number] for number in cited))
            for text, cited in written
            if set(cited) <= known.keys()
        )
    )
