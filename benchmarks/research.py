"""What a research finds on a made web, with a model that errs: right values, true quotes, few fetches.

    python benchmarks/research.py [--json] [--pages 2000] [--rows 300] [--kills 20] [--keep FOLDER]
                                 [--setting NAME=VALUE ...]

Runs `scrapy research` in processes of its own against `research_server.py` and `research_model.py`, and
kills it so many times at random moments. The models are those of the settings. `--keep` leaves everything in
a folder that does not exist. Prints

item_f1             of the values in the table against the truth: harmonic mean of precision and recall
row_f1              of the rows in which all values are right
citation_precision  share of the citations whose quote is the text at its place in the snapshot, holds the
                    value, and comes from a page that was fetched
citation_recall     share of the values and sentences in the report that have such a citation
harvest_ratio       fetches to 90 % of the facts of all pages, divided by those that breadth-first needs
unfetched_urls      URLs that are cited and were not fetched
calls_repeated      calls that were paid twice, but those that were under way at a kill
tokens_differ_from_bill    of the ledger and the model, which bills twice what was under way at a kill
calls_without_end   that the ledger presumes billed: they were under way at a kill, and were not made again
"""

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from research_bill import CONCURRENCY, bill_difference, calls_without_end, repeats
from research_harvest import Harvest
from research_model import ReadingModel
from research_server import WebServer, address
from research_web import GOAL, HOSTS, TEMPLATE, ResearchWeb

from ragcrawler.research.evidence.facts import Fact
from ragcrawler.research.evidence.values import normal_form, normal_name, support
from ragcrawler.research.storage.pages import StoredPages
from ragcrawler.research.table import TableRow, build_rows
from ragcrawler.research.templates import parse_template
from ragcrawler.run.research.database import OpenDatabase

TURBINES = parse_template(json.dumps(TEMPLATE))
FIELDS = {leaf.path: leaf.field for leaf in TURBINES.leaves}
REPOSITORY = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Figures:
    item_f1: float
    row_f1: float
    citation_precision: float
    citation_recall: float
    harvest_ratio: float
    unfetched_urls: int
    calls_repeated: int
    calls_under_way_repeated: int
    fetches: int
    pages_of_the_web: int
    rows: int
    contradictions_shown: int
    lies_confirmed: int
    sentences: int
    sentences_struck: int
    facts_flagged: int
    reached: float
    ended: str
    kills: int
    tokens_differ_from_bill: int
    calls_without_end: int


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    server, model = WebServer(ResearchWeb(args.pages, args.rows, args.seed)), ReadingModel(seed=args.seed)
    await server.start()
    await model.start()
    with tempfile.TemporaryDirectory() as folder:
        output: Path = args.keep or Path(folder)
        output.mkdir(exist_ok=True)  # noqa: ASYNC240 - nothing runs yet
        output.chmod(0o755)  # noqa: ASYNC240 - the database runs as another user where this one is root
        answers_at_kills = await run(server, model, output, args)
        figures = await asyncio.to_thread(measure, server, model, output, answers_at_kills)
    server.close()
    model.close()
    if args.json:
        print(json.dumps(asdict(figures)))
    else:
        for name, value in asdict(figures).items():
            print(f"{name:26} {value:.3f}" if isinstance(value, float) else f"{name:26} {value}")


async def run(server: WebServer, model: ReadingModel, output: Path, args: argparse.Namespace) -> list[int]:
    """Research to the end, also after kills. How many answers the model had given at each of these."""
    template = output / "turbines.json"
    template.write_text(json.dumps(TEMPLATE), encoding="utf-8")
    environment = os.environ | {
        "OUTPUT_DIR": str(output),
        "LLM_MODEL": "a-model",
        "LLM_BASE_URL": model.url,
        "LLM_API_KEY": "none",
    }
    await scrapy(["templates", "add", str(template)], environment)
    settings = {
        "DOWNLOAD_DELAY": "0",
        "AUTOTHROTTLE_ENABLED": "False",
        "PROGRESS_ENABLED": "False",
        "LOG_LEVEL": "WARNING",
        "LLM_CONCURRENCY": str(CONCURRENCY),
    }
    command = ["research", GOAL, "--template", "turbines", "--depth", "8"]
    command += ["--urls", server.url(server.web.start)]
    command += ["--domains", ",".join(f"{address(host)}:{server.port}" for host in range(HOSTS))]
    command += [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command += [part for each in args.setting for part in ("-s", each)]
    drawn = random.Random(args.seed)
    answers = []
    expected = args.rows  # calls, about
    for kill in range(args.kills):
        done = await scrapy(
            command, environment, kill_at=model, answers=drawn.randint(1, max(2, expected // 25))
        )
        if done:
            print(f"it was over before kill {kill + 1}: no kill of a research that runs", file=sys.stderr)
            return answers
        answers.append(len(model.log))
    await scrapy(command, environment)
    return answers


async def scrapy(
    command: Sequence[str], environment: dict[str, str], kill_at: ReadingModel | None = None, answers: int = 0
) -> bool:
    """Run a command; whether it came to its end. With a model it is killed after so many further answers."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "scrapy", *command), cwd=REPOSITORY, env=environment, start_new_session=True
    )
    if kill_at is not None:
        bound = len(kill_at.log) + answers
        while process.returncode is None and len(kill_at.log) < bound:  # noqa: ASYNC110 - two things end it
            await asyncio.sleep(0.02)
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            return False
    code = await process.wait()
    if code:
        print(f"`scrapy {command[0]}` ended with {code}", file=sys.stderr)
    return True


@dataclass(frozen=True)
class Outcome:
    """What the research has left behind."""

    facts: list[Fact]
    snapshots: dict[str, str]
    rows: list[TableRow]
    report: dict[str, Any]

    @classmethod
    def read(cls, output: Path) -> "Outcome":
        with OpenDatabase(None, output / "postgres") as database:
            (record,) = database.researches.researches()
            pages = StoredPages(database.researches.session, record.id)
            facts = pages.facts()
            snapshots = {fact.quote.page_hash: pages.snapshot(fact.quote.page_hash) for fact in facts}
        report = json.loads((output / "research" / record.id / "report.json").read_text(encoding="utf-8"))
        return cls(facts, snapshots, build_rows(facts, TURBINES), report)

    @property
    def shown(self) -> list[list[Fact]]:
        """The facts of each value in the table."""
        return [list(each.facts) for row in self.rows for cell in row.cells.values() for each in cell.values]

    @property
    def items(self) -> dict[tuple[str, str], str]:
        """The best value of each cell but the key, in normal form."""
        return {
            (row.key[0], path): normal_form(cell.values[0].value, FIELDS[path])
            for row in self.rows
            for path, cell in row.cells.items()
            if path != "name"
        }


def measure(server: WebServer, model: ReadingModel, output: Path, answers_at_kills: list[int]) -> Figures:
    outcome, fetched = Outcome.read(output), list(dict.fromkeys(server.fetched))
    cited = [fact for facts in outcome.shown for fact in facts]
    true = {fact.id for fact in cited if is_true(fact, outcome.snapshots, set(fetched))}
    named = [[fact.id for fact in facts] for facts in outcome.shown]
    named += [sentence["facts"] for sentence in outcome.report["sentences"]]
    items, found, harvest = truth(server.web), outcome.items, Harvest(server)
    whole, found_rows = by_row(items), by_row(found)
    mine, reached = harvest.fetches(fetched)
    breadth, _ = harvest.fetches(harvest.breadth_first())
    repeated, under_way = repeats(model.log, answers_at_kills)
    cells = [cell for row in outcome.rows for cell in row.cells.values()]
    return Figures(
        item_f1=f1(sum(items.get(key) == value for key, value in found.items()), len(found), len(items)),
        row_f1=f1(sum(whole.get(key) == row for key, row in found_rows.items()), len(found_rows), len(whole)),
        citation_precision=sum(fact.id in true for fact in cited) / max(1, len(cited)),
        citation_recall=sum(bool(true & set(ids)) for ids in named) / max(1, len(named)),
        harvest_ratio=mine / breadth,
        unfetched_urls=len({fact.quote.url for fact in cited} - set(fetched)),
        calls_repeated=repeated,
        calls_under_way_repeated=under_way,
        fetches=len(fetched),
        pages_of_the_web=len(server.web.pages),
        rows=len(outcome.rows),
        contradictions_shown=sum(cell.state == "contradicted" for cell in cells),
        lies_confirmed=lies_confirmed(server.web, outcome.rows),
        sentences=len(outcome.report["sentences"]),
        sentences_struck=outcome.report["struck"],
        facts_flagged=sum(fact.is_suspicious for fact in outcome.facts),
        reached=reached,
        ended=outcome.report["ended"],
        kills=len(answers_at_kills),
        tokens_differ_from_bill=bill_difference(output, model),
        calls_without_end=calls_without_end(output),
    )


def by_row(items: dict[tuple[str, str], str]) -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for (row, path), value in items.items():
        rows.setdefault(row, {})[path] = value
    return rows


def is_true(fact: Fact, snapshots: dict[str, str], fetched: set[str]) -> bool:
    quote = fact.quote
    return (
        snapshots[quote.page_hash][quote.start : quote.end] == quote.text
        and quote.url in fetched
        and support(fact.value, FIELDS[fact.path], quote.text) != "unverified"
    )


def truth(web: ResearchWeb) -> dict[tuple[str, str], str]:
    """The right values, by the normal form of the name and by field."""
    items = {}
    for company in web.companies:
        key = normal_name(company.name, FIELDS["name"])
        items[key, "founded"] = normal_form(str(company.founded), FIELDS["founded"])
        items[key, "headquarters"] = normal_form(company.headquarters, FIELDS["headquarters"])
        items[key, "revenue"] = normal_form(f"{company.revenue_million} million euros", FIELDS["revenue"])
        items[key, "employees"] = normal_form(company.employees, FIELDS["employees"])
    return items


def lies_confirmed(web: ResearchWeb, rows: Iterable[TableRow]) -> int:
    """Years of foundation that only one page gives, and that count as confirmed."""
    founded = {normal_name(each.name, FIELDS["name"]): each.founded for each in web.companies}
    return sum(
        value.is_confirmed and value.normal != f"{founded[row.key[0]]:04}"
        for row in rows
        if "founded" in row.cells and row.key[0] in founded
        for value in row.cells["founded"].values
    )


def f1(right: int, found: int, wanted: int) -> float:
    return 2 * right / (found + wanted) if found + wanted else 0.0


if __name__ == "__main__":
    asyncio.run(main())
