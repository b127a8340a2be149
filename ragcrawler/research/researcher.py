"""A research while it runs: what to fetch next, and what becomes of each page."""

from collections.abc import Iterable

from ragcrawler.items import Document
from ragcrawler.research.bounds import ResearchBounds, ResearchProgress
from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.findings import Findings
from ragcrawler.research.links.anchors import LinkAnchor, LinkingPage, linking_page_of_markdown
from ragcrawler.research.links.host_yield import HostYield
from ragcrawler.research.links.score import Percentiles, similarity
from ragcrawler.research.links.scout_queue import ScoutQueue
from ragcrawler.research.parts import ResearchParts, Vector
from ragcrawler.research.questions import Question, goal_question
from ragcrawler.research.reading.page_text import PageText
from ragcrawler.research.reading.reader import Reading
from ragcrawler.research.storage.database import ResearchRecord
from ragcrawler.research.storage.pages import ReadPage
from ragcrawler.research.storage.tasks import ScoutTask
from ragcrawler.research.table import TableRow
from ragcrawler.urls.host import host_of

_REORDER_PAGES = 5
_QUESTIONS_ABOUT_CELLS = 5  # at a time


class Researcher:
    """Reads pages, and follows what they lead to.

    Whoever fetches asks `next_tasks`, then tells `read` or `lose` what came of each.

    Args:
        record: of the research.
        bounds: how far it goes.
        parts: that it works with.
    """

    def __init__(self, record: ResearchRecord, bounds: ResearchBounds, parts: ResearchParts) -> None:
        self.record = record
        self._bounds = bounds
        self._parts = parts
        self._stored = parts.stored
        self._do = parts.thread.do
        self._progress = ResearchProgress(bounds)
        self._percentiles = Percentiles()
        self._hosts = HostYield()
        self._queue = ScoutQueue(self._percentiles, self._hosts, self._prune)
        self._under_way: dict[str, ScoutTask] = {}
        self._known: set[str] = set()
        self._followed: set[str] = set()
        self._findings = Findings(record.template)
        self._read_pages: list[ReadPage] = []
        self._questions: dict[str, Question] = {}
        self._goal_vector: Vector = ()
        self._pruned: list[str] = []

    @property
    def questions(self) -> list[Question]:
        """All, in the order in which they were asked."""
        return list(self._questions.values())

    @property
    def facts(self) -> list[Fact]:
        """All, unverified ones among them, in the order in which they were found."""
        return self._findings.facts

    @property
    def read_pages(self) -> list[ReadPage]:
        """In the order in which they were read."""
        return list(self._read_pages)

    @property
    def pages(self) -> int:
        """How many were read."""
        return self._progress.pages

    @property
    def waiting(self) -> int:
        """How many tasks wait."""
        return len(self._queue)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._under_way

    @property
    def under_way(self) -> list[ScoutTask]:
        """What was asked for, and came to no end yet."""
        return list(self._under_way.values())

    @property
    def end_reason(self) -> str:
        """Why nothing more is asked for, as far as bounds decide it; "" while it goes on."""
        return self._progress.end_reason

    async def start(self, urls: Iterable[str]) -> None:
        """Go on where an earlier run ended, or ask the seed questions and begin with the URLs.

        Raises:
            LanguageModelError: no seed questions came; nothing was begun.
            PostgresError: the database cannot be used; every method raises it.
        """
        goal = goal_question(self.record.goal)
        (self._goal_vector,) = await self._parts.embed([goal.text])
        await self._resume()
        if not (self._read_pages or len(self._queue)):  # new, or nothing was read before it broke off
            seeds = await self._parts.reader.seed_questions(goal.text)
            await self._ask(goal, self._goal_vector)
            named = [ScoutTask(url, goal.id) for url in urls]
            await self._do(lambda: self._stored.tasks.add(named))
            self._queue_all(named)
            await self._search(goal)
            for seed in seeds:
                await self._pursue(goal.child(seed, "seed"))

    def next_tasks(self, limit: int) -> list[ScoutTask]:
        """What to fetch now, the best first; none where the research is over or everything is under way.

        Args:
            limit: of all that is under way.
        """
        tasks: list[ScoutTask] = []
        while len(self._under_way) < limit and not self.end_reason:
            if self._bounds.pages and self.pages + len(self._under_way) >= self._bounds.pages:
                break
            task = self._queue.pop()
            if task is None:
                break
            self._under_way[task.url] = task
            tasks.append(task)
        return tasks

    async def lose(self, url: str) -> None:
        """The page of a task did not come, or is none that is read."""
        if self._under_way.pop(url, None) is not None:
            await self._do(lambda: self._stored.tasks.set_state([url], "failed"))
            self._parts.count("pages_lost", 1)

    async def follow(self, page: LinkingPage, task: ScoutTask) -> None:
        """Score the links of a page that a task brought, and queue them."""
        self._followed.add(page.url)
        found = [each for each in page.anchors if each.url not in self._known]
        if not found or task.depth >= self._bounds.depth:
            self._parts.count("links_too_deep", len(found))
            return
        page_vector, *vectors = await self._parts.embed([page.beginning, *(each.text for each in found)])
        values = [similarity(vector, page_vector, self._goal_vector) for vector in vectors]
        self._percentiles.add(values)
        tasks = [
            self._task(anchor, task, page.url, value) for anchor, value in zip(found, values, strict=True)
        ]
        await self._do(lambda: self._stored.tasks.add(tasks))
        self._queue_all(tasks)
        self._parts.count("links", len(tasks))

    async def read(self, document: Document, task: ScoutTask) -> Reading:
        """Read the page of a task, keep its facts, and queue what it leads to."""
        page = PageText.of(document)
        question = self._questions[task.question_id]
        reading = await self._parts.reader.read(page, question)
        new_facts = self._findings.add(reading.facts.values())
        self._progress.add_page(new_facts)
        self._progress.is_over_budget |= reading.is_over_budget
        self._hosts.add_page(host_of(page.url), new_facts)
        self._known |= {task.url, page.url}
        if page.url not in self._followed:
            await self.follow(linking_page_of_markdown(page.markdown, page.url, page.title), task)
        for lead in reading.leads:
            if question.depth <= self._bounds.depth:
                await self._pursue(question.child(lead.question, "lead", page.url))
        # Last: a page that is there is not read again after a kill, and what it led to would be lost.
        await self._keep(page, task, reading, new_facts)
        self._under_way.pop(task.url, None)
        self._queue.drop(page.url)
        await self._do(lambda: self._stored.tasks.set_state({task.url, page.url}, "done"))
        await self._settle()
        self._count(reading, new_facts)
        return reading

    def task_counts(self) -> dict[str, float]:
        """How many tasks came to which end; on the thread of the database."""
        return {f"tasks {state}": count for state, count in sorted(self._stored.tasks.counts().items())}

    def mark_contradicted(self, rows: Iterable[TableRow]) -> None:
        """Mark the facts of values that contradict each other; on the thread of the database."""
        cells = (cell for row in rows for cell in row.cells.values() if cell.state == "contradicted")
        ids = [fact.id for cell in cells for value in cell.values for fact in value.facts]
        self._stored.pages.set_state(ids, "contradicted")

    async def _resume(self) -> None:
        """Read what earlier runs left."""
        stored = self._stored
        await self._do(stored.tasks.requeue_asked)
        for question in await self._do(stored.questions.all):
            self._questions[question.id] = question
        self._percentiles.add(await self._do(stored.tasks.similarities))
        self._findings.add(await self._do(stored.pages.facts))
        pages = await self._do(stored.pages.all)
        for page in pages:
            if not page.error:
                self._known.add(page.url)
                self._read_pages.append(page)
                self._progress.pages += 1
                self._hosts.add_page(host_of(page.url), page.new_facts)
        self._order()
        self._queue_all(await self._do(stored.tasks.queued))
        # An error is no answer: what the model could not read is read again.
        errored = [page for page in pages if page.error]
        self._queue_all(ScoutTask(e.url, e.question_id, e.parent_url, "", e.depth) for e in errored)

    async def _ask(self, question: Question, vector: Vector) -> Question:
        asked = await self._do(lambda: self._stored.questions.add(question, vector))
        self._questions.setdefault(asked.id, asked)
        self._parts.count("questions" if asked.id == question.id else "questions_asked_before", 1)
        return asked

    async def _pursue(self, question: Question) -> None:
        """Ask a question unless one like it was asked, and search for it."""
        if question.id in self._questions:
            return
        (vector,) = await self._parts.embed([question.text])
        asked = await self._ask(question, vector)
        if asked.id == question.id:
            await self._search(asked)

    async def _search(self, question: Question) -> None:
        """Queue what a search engine finds."""
        found = [ScoutTask(url, question.id) for url in await self._parts.search(question.text)]
        await self._do(lambda: self._stored.tasks.add(found))
        self._queue_all(found)

    def _task(self, anchor: LinkAnchor, parent: ScoutTask, parent_url: str, value: float) -> ScoutTask:
        about = (anchor.url, parent.question_id, parent_url, anchor.text, parent.depth + 1)
        return ScoutTask(*about, value, self._percentiles.score(value))

    def _queue_all(self, tasks: Iterable[ScoutTask]) -> None:
        for task in tasks:
            if task.url not in self._known and task.url not in self._under_way:
                self._queue.add(task)

    async def _keep(self, page: PageText, task: ScoutTask, reading: Reading, new_facts: int) -> None:
        """Store the page with its facts."""
        facts = list(reading.facts.values())
        vectors = await self._parts.embed([_shown(fact) for fact in facts]) if facts else []
        read = ReadPage(
            *(page.url, page.page_hash, page.title),
            *(task.question_id, task.parent_url, task.depth),
            "; ".join(dict.fromkeys(reading.errors)),
            new_facts,
            reading.invented,
            reading.unread_parts,
            page.is_suspicious,
        )
        self._read_pages.append(read)
        await self._do(lambda: self._stored.pages.save(read, page.markdown, facts, vectors))

    async def _settle(self) -> None:
        """Now and then: order the queue by what is missing, and ask for it."""
        pruned, self._pruned = self._pruned, []
        if pruned:
            await self._do(lambda: self._stored.tasks.set_state(pruned, "pruned"))
        if self.pages % _REORDER_PAGES == 0:
            rows = self._order()
            goal = self._questions[goal_question(self.record.goal).id]
            for question in self._findings.missing_cells(rows, _QUESTIONS_ABOUT_CELLS):
                await self._pursue(goal.child(question, "cell"))

    def _order(self) -> list[TableRow]:
        """Order the queue by what the rows lack."""
        template = self.record.template
        rows = self._findings.rows()
        names = [(row.name(template), bool(row.missing(template))) for row in rows]
        self._queue.set_names(
            (name for name, is_incomplete in names if is_incomplete),
            (name for name, is_incomplete in names if not is_incomplete),
        )
        return rows

    def _prune(self, task: ScoutTask) -> None:
        self._pruned.append(task.url)
        self._parts.count("links_pruned", 1)

    def _count(self, reading: Reading, new_facts: int) -> None:
        count = self._parts.count
        count("pages", 1)
        count("facts_new", new_facts)
        count("values_invented", reading.invented)
        count("parts_unread", reading.unread_parts)
        count("parts_errored", len(reading.errors))
        for fact in reading.facts.values():
            count(f"facts/{fact.state}", 1)


def _shown(fact: Fact) -> str:
    return f"{', '.join(fact.row)}: {fact.path} is {fact.value}"
