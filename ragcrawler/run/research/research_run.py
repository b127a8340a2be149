"""One run of a research: its database, model and report."""

import asyncio
import logging
from contextlib import AsyncExitStack
from pathlib import Path

from ragcrawler.catalogue.exports.atomic_file import atomic_file
from ragcrawler.config.models.research import ResearchConfig
from ragcrawler.embedding.embedders import Embedders
from ragcrawler.llm.calls.caller import ModelCaller
from ragcrawler.llm.calls.ledger import CallLedger
from ragcrawler.llm.calls.open import open_async_model
from ragcrawler.research.errors import ResearchError
from ragcrawler.research.parts import Count, ResearchParts, Search, no_search
from ragcrawler.research.reading.reader import PageReader
from ragcrawler.research.report.html import live_page
from ragcrawler.research.report.live import LiveState
from ragcrawler.research.report.narrative import Narrative, write_narrative
from ragcrawler.research.report.report import Report
from ragcrawler.research.report.spend import spend_counts
from ragcrawler.research.report.write import FORMATS, write_reports
from ragcrawler.research.researcher import Researcher
from ragcrawler.research.storage.database import ResearchRecord
from ragcrawler.research.storage.research import StoredResearch
from ragcrawler.research.table import build_rows
from ragcrawler.run.execution.single_thread_executor import SingleThreadExecutor
from ragcrawler.run.research.database import OpenDatabase
from ragcrawler.run.research.request import ResearchRequest, account_of

logger = logging.getLogger(__name__)


class ResearchRun:
    """Opens what a research needs, and writes its report.

    Args:
        request: what to find out.
        config: of database and model.
        folder: of the reports.
    """

    def __init__(self, request: ResearchRequest, config: ResearchConfig, folder: Path) -> None:
        self.request = request
        self._config = config
        self._folder = folder / request.id
        self._closing = AsyncExitStack()
        self._thread = SingleThreadExecutor("research")
        self._caller: ModelCaller | None = None
        self._database: OpenDatabase | None = None
        self._researcher: Researcher | None = None
        self._ledger: CallLedger | None = None
        self._live = LivePage(self._folder)
        self._reported_reason = ""

    @property
    def live(self) -> LiveState | None:
        """How far it was when that was last noted; None before the beginning."""
        return self._live.state

    @property
    def researcher(self) -> Researcher:
        """The research.

        Raises:
            RuntimeError: it is not open.
        """
        if self._researcher is None:
            raise RuntimeError("the research is not open")
        return self._researcher

    @property
    def is_open(self) -> bool:
        """Whether it can be worked with."""
        return self._researcher is not None

    async def open(self, embedders: Embedders, count: Count, search: Search = no_search) -> None:
        """Open database and model, and ask the first questions or go on.

        Raises:
            PostgresError: the database cannot be opened.
            ResearchError: there is no such template, or no research of that id that could go on like this.
            LanguageModelError: the model cannot be opened, or asks no questions.
        """
        config, request = self._config, self.request
        self._closing.callback(self._thread.close)
        database = await self._thread.do(lambda: OpenDatabase(config.postgres, config.server_folder))
        self._database = database
        self._closing.push_async_callback(self._thread.do, database.close)
        dense = embedders.dense
        record = await self._thread.do(lambda: self._begin(database, dense.description.name))
        size = dense.description.dimensions
        stored = await self._thread.do(lambda: StoredResearch(database.researches.session, record.id, size))
        caller = self._open_caller(record.id)
        parts = ResearchParts(
            stored=stored,
            thread=self._thread,
            reader=PageReader(caller, record.template, config.reading),
            embed=lambda texts: asyncio.to_thread(dense.embed_documents, texts),
            search=search,
            count=count,
        )
        researcher = Researcher(record, request.bounds, parts)
        await researcher.start(request.urls)
        self._researcher = researcher

    async def report(self, reason: str) -> Report:
        """End the research, and write its report in every format."""
        researcher, database = self.researcher, self._database
        assert database is not None and self._caller is not None  # noqa: S101, PT018 - with the researcher
        await self._thread.do(lambda: database.researches.end(researcher.record.id, reason))
        record = await self._thread.do(lambda: database.researches.research(researcher.record.id))
        rows = build_rows(researcher.facts, record.template)
        await self._thread.do(lambda: researcher.mark_contradicted(rows))
        narrative = await write_narrative(self._caller, record.goal, rows, record.template)
        report = await self._thread.do(lambda: self._report(record, narrative))
        await asyncio.to_thread(write_reports, report, self._folder)
        self._reported_reason = reason
        await self.refresh_live()
        logger.info("The report of %s is in %s", record.id, self._folder)
        return report

    async def refresh_live(self) -> None:
        """Note how far it is, and write the page that shows it; before the beginning nothing happens.

        Raises:
            OSError: the page cannot be written.
            LanguageModelError: the ledger cannot be read.
        """
        researcher = self._researcher
        if researcher is None:
            return
        spend = await asyncio.to_thread(self._spend)
        state = LiveState(
            record=researcher.record,
            questions=tuple(researcher.questions),
            pages=tuple(researcher.read_pages),
            facts=tuple(researcher.facts),
            waiting=researcher.waiting,
            under_way=tuple(task.url for task in researcher.under_way),
            spend=spend,
            end_reason=self._reported_reason or researcher.end_reason,
        )
        await self._live.show(state, is_final=bool(self._reported_reason))

    async def close(self) -> None:
        """Close model, database and thread; calling it twice is fine."""
        await self._closing.aclose()

    def _begin(self, database: OpenDatabase, embedding_model: str) -> ResearchRecord:
        """The record of the research: a new one, or the one that goes on."""
        request, researches = self.request, database.researches
        options = request.options
        if request.research_id:
            domains = researches.research(request.research_id).options.get("domains")
            if domains and not request.domains:
                raise ResearchError(f"the research stays on {domains}: give domains={domains} again")
            researches.reopen(request.research_id, options)
            return researches.research(request.research_id)
        template = researches.template(request.template)
        begun = researches.begin(ResearchRecord(request.id, request.goal, template, options, embedding_model))
        if begun.state == "ended":
            researches.reopen(begun.id, options)
        return begun

    def _open_caller(self, research_id: str) -> ModelCaller:
        model = open_async_model(self._config.model)
        ledger = self._ledger = CallLedger(self._config.ledger_path)
        self._closing.push_async_callback(asyncio.to_thread, ledger.close)
        self._caller = ModelCaller(model, ledger, account_of(research_id), self._config.calls)
        self._closing.push_async_callback(self._caller.close)
        return self._caller

    def _report(self, record: ResearchRecord, narrative: Narrative) -> Report:
        researcher = self.researcher
        facts = researcher.facts
        return Report(
            record=record,
            rows=tuple(build_rows(facts, record.template)),
            narrative=narrative,
            questions=tuple(researcher.questions),
            pages=tuple(researcher.read_pages),
            unverified=sum(not fact.is_shown for fact in facts),
            counts=researcher.task_counts() | self._spend(),
        )

    def _spend(self) -> dict[str, float]:
        assert self._ledger is not None  # noqa: S101 - opened with the researcher
        return spend_counts(self._ledger.sums(account_of(self.researcher.record.id)))


_FILE = "live.html"


class LivePage:
    """Writes the page over, whole each time: a browser never loads a half of it.

    Args:
        folder: of the reports.

    Attributes:
        state: that was shown last; None for none.
    """

    def __init__(self, folder: Path) -> None:
        self.state: LiveState | None = None
        self._path = folder / _FILE
        self._writing = asyncio.Lock()

    async def show(self, state: LiveState, *, is_final: bool) -> None:
        """Write the page; a final one leads to the report, and is not loaded again.

        Raises:
            OSError: it cannot be written.
        """
        async with self._writing:
            self.state = state
            await asyncio.to_thread(self._write, live_page(state, FORMATS["html"].file if is_final else ""))

    def _write(self, content: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(self._path) as out:
            out.write(content.encode("utf-8", "replace"))
