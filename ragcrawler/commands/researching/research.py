"""`scrapy research GOAL --template NAME`: from a question to rows of facts, each with its quote."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from scrapy.exceptions import UsageError

from ragcrawler.commands.crawling.crawl import Command as CrawlCommand

if TYPE_CHECKING:
    from collections.abc import Callable

    from ragcrawler.run.research.database import OpenDatabase

Result = TypeVar("Result")

_BUDGETS = ("pages", "tokens", "usd", "minutes")
_FORMATS = ("md", "csv", "html", "pdf", "mermaid", "json")


class Command(CrawlCommand):
    """Runs the research spider, or shows what researches found."""

    def syntax(self) -> str:
        return '"Ancient Roman Economy" --template economy [options]'

    def short_desc(self) -> str:
        return "Research a goal: rows of facts, each with its source"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Those of a crawl, and what to find out, how far to go, and what to show."""
        super().add_options(parser)
        parser.add_argument("--template", default="", help="the fields of a row; see `scrapy templates list`")
        parser.add_argument(
            "--depth", default="", metavar="N", help="links followed from a page to begin with (3)"
        )
        parser.add_argument("--urls", default="", metavar="URL,URL", help="pages to begin with, or @FILE")
        parser.add_argument("--domains", default="", metavar="HOST,HOST", help="hosts to stay on")
        parser.add_argument(
            "--search", default="", metavar="ENGINE", help="ask it each question: searxng, brave_api, ..."
        )
        for name in _BUDGETS:
            parser.add_argument(f"--budget-{name}", default="", metavar="N", help=f"at most so many {name}")
        parser.add_argument("--resume", default="", metavar="ID", help="let a research go on")
        parser.add_argument("--list", action="store_true", help="list all researches")
        parser.add_argument("--show", metavar="ID", help="show the questions of one, and what was counted")
        parser.add_argument("--report", metavar="ID", help="print the last report of one")
        parser.add_argument("--format", choices=_FORMATS, default="md", help="of the report (md)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Research, or show.

        Raises:
            UsageError: there is no goal.
        """
        if opts.list or opts.show or opts.report:
            self._with_database(opts, self._show)
            return
        if len(args) != 1 and not opts.resume:
            raise UsageError("give one goal, in quotes")
        remembered = self._with_database(opts, _arguments_of_resumed) if opts.resume else {}
        if remembered is None:
            return
        given = {
            "goal": args[0] if args else "",
            "template": opts.template,
            "depth": opts.depth,
            "urls": opts.urls,
            "domains": opts.domains,
            "resume": opts.resume,
            "search": opts.search,
            **{f"budget_{name}": getattr(opts, f"budget_{name}") for name in _BUDGETS},
        }
        opts.spargs = remembered | opts.spargs | {name: value for name, value in given.items() if value}
        super().run(["research"], opts)

    def _with_database(
        self, opts: argparse.Namespace, work: "Callable[[OpenDatabase, argparse.Namespace, Path], Result]"
    ) -> "Result | None":
        """Have some work done; where it cannot be, say why, and give None."""
        from ragcrawler.bootstrap.start_error import StartError, start_errors
        from ragcrawler.config.configuration import Configuration
        from ragcrawler.config.postgres import postgres_address
        from ragcrawler.llm.protocol import LanguageModelError
        from ragcrawler.postgres.errors import PostgresError
        from ragcrawler.research.errors import ResearchError
        from ragcrawler.run.research.database import OpenDatabase

        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        try:
            with start_errors():
                output = Configuration.from_settings(self.settings).output_folder
                address = postgres_address(self.settings)
            with OpenDatabase(address, output / "postgres") as database:
                return work(database, opts, output)
        except (StartError, ResearchError, PostgresError, LanguageModelError) as error:
            sys.stderr.write(f"Error: {error}\n")
            self.exitcode = 1
            return None

    def _show(self, database: "OpenDatabase", opts: argparse.Namespace, output: Path) -> None:
        from ragcrawler.config.models.research import ledger_path

        assert self.settings is not None  # noqa: S101 - set by scrapy before it runs a command
        if opts.report:
            _print_report(database, opts, output)
        elif opts.show:
            _print_research(database, opts.show, ledger_path(self.settings, output))
        else:
            _print_all(database)


def _arguments_of_resumed(
    database: "OpenDatabase", opts: argparse.Namespace, _output: Path
) -> dict[str, str]:
    """Those with which the research was run last."""
    from ragcrawler.run.research.request import arguments_of

    return arguments_of(database.researches.research(opts.resume).options)


def _print_report(database: "OpenDatabase", opts: argparse.Namespace, output: Path) -> None:
    from ragcrawler.research.errors import ResearchError
    from ragcrawler.research.report.write import FORMATS

    record = database.researches.research(opts.report)
    path = output / "research" / record.id / FORMATS[opts.format].file
    if not path.exists():
        needs = " where the extra `research-pdf` is installed" if opts.format == "pdf" else ""
        raise ResearchError(
            f"{record.id} has no {path.name}: `scrapy research --resume {record.id}` writes it{needs}"
        )
    if opts.format == "pdf" and sys.stdout.isatty():
        raise ResearchError(f"a PDF is nothing for a terminal: open {path}")
    sys.stdout.flush()
    sys.stdout.buffer.write(path.read_bytes())


def _print_all(database: "OpenDatabase") -> None:
    researches = database.researches.researches()
    if not researches:
        sys.stderr.write("No research was begun.\n")
    for record in researches:
        state = record.end_reason or record.state
        print(f"{record.id}  {record.began_at:%Y-%m-%d %H:%M}  {record.template.name}  {state}")  # noqa: T201
        print(f"    {record.goal}")  # noqa: T201


def _print_research(database: "OpenDatabase", research_id: str, ledger: Path) -> None:
    from ragcrawler.research.report.tree import question_tree
    from ragcrawler.research.storage.pages import StoredPages
    from ragcrawler.research.storage.questions import StoredQuestions
    from ragcrawler.research.storage.tasks import StoredTasks
    from ragcrawler.run.research.spend import read_spend

    record = database.researches.research(research_id)
    session = database.researches.session
    questions = StoredQuestions(session, record.id, dimensions=0).all()
    pages = StoredPages(session, record.id)
    facts = pages.facts()
    tasks = StoredTasks(session, record.id).counts()
    spend = read_spend(ledger, record.id)
    lines = [
        record.goal,
        f"template {record.template.name}, {record.end_reason or record.state}",
        f"{len(pages.all())} pages read, {sum(fact.is_shown for fact in facts)} facts",
        "tasks: " + (", ".join(f"{count} {state}" for state, count in sorted(tasks.items())) or "none"),
        "spent: " + (", ".join(f"{count} {name}" for name, count in spend.items()) or "nothing"),
        *question_tree(questions),
    ]
    print("\n".join(lines))  # noqa: T201
