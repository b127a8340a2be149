"""`scrapy eval`: how good the search is, on queries whose answers are known."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ragcrawler.commands.base.explicit_settings import explicit_settings

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from ragcrawler.maintenance.evaluation import Measured

_DRAFTED = 200
_SHOWN_MISSING = 3


class Command(ScrapyCommand):
    """Prints every mode side by side with intervals, and a paired test against other settings."""

    settings: "Settings | None"
    requires_crawler_process = False
    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "QUERIES.jsonl|FOLDER [--qrels FILE] [--against NAME=VALUE] [--json] | --draft FILE"

    def short_desc(self) -> str:
        return "Measure the search on queries with known answers"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options for comparison, output format and drafting of queries."""
        super().add_options(parser)
        add = parser.add_argument
        add("--against", action="append", default=[], metavar="NAME=VALUE", help="compare with this setting")
        add("--qrels", metavar="FILE", help="judgements of the queries: lines of id, 0, URL, grade")
        add("--json", action="store_true", help="one JSON object instead of tables")
        add("--draft", metavar="FILE", help="write queries drafted from the collection's headings")
        add("--queries", type=int, default=_DRAFTED, metavar="N", help=f"at most N drafted ones ({_DRAFTED})")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        from ragcrawler.bootstrap import StartError
        from ragcrawler.embedding.protocol import EmbeddingError
        from ragcrawler.llm.protocol import LanguageModelError
        from ragcrawler.retrieval.evaluation import QuerySetError
        from ragcrawler.retrieval.formatting.printable import printable
        from ragcrawler.stores import StoreError

        if len(args) != (0 if opts.draft else 1):
            raise UsageError("name one file or folder of queries, or --draft FILE")
        if opts.qrels and (opts.draft or Path(args[0]).is_dir()):
            raise UsageError("--qrels judges the queries of a file")
        if opts.queries < 1:
            raise UsageError(f"--queries {opts.queries}: draft at least 1")
        settings, against = explicit_settings(self.settings), _settings(opts.against)
        try:
            if opts.draft:
                _draft(Path(opts.draft), opts.queries, settings)
            else:
                qrels = Path(opts.qrels) if opts.qrels else None
                _measure(Path(args[0]), qrels, settings, against, as_json=opts.json)
        except (StartError, StoreError, EmbeddingError, LanguageModelError, QuerySetError, OSError) as error:
            sys.stderr.write(f"Error: {printable(str(error))}\n")
            self.exitcode = 1


def _settings(given: list[str]) -> dict[str, Any]:
    pairs = [each.partition("=") for each in given]
    for name, sign, _ in pairs:
        if not name or not sign:
            raise UsageError(f"--against {name}: write it like HYBRID_WEIGHTS=dense=1,bm25=1")
    return {name: value for name, _, value in pairs}


def _draft(path: Path, most: int, settings: dict[str, Any]) -> None:
    from ragcrawler.maintenance.evaluation import write_draft

    count = write_draft(path, most, **settings)
    sys.stderr.write(
        f"{count} queries drafted from headings into {path}. They flatter every mode, since headings are "
        "part of what is embedded: replace them by questions that people ask.\n"
    )


def _measure(
    path: Path, qrels: Path | None, settings: dict[str, Any], against: dict[str, Any], *, as_json: bool
) -> None:
    from ragcrawler.maintenance.evaluation import measure

    measured = measure(path, qrels, **settings)
    other = measure(path, qrels, **{**settings, **against}) if against else None
    if as_json:
        sys.stdout.write(json.dumps(_record(measured, other, against)) + "\n")
    else:
        _print(measured, other, against)


def _record(measured: "Measured", other: "Measured | None", against: dict[str, Any]) -> dict[str, Any]:
    from ragcrawler.retrieval.evaluation.evaluation_lines import (
        difference_record,
        evaluation_record,
        unjudged_record,
    )

    record: dict[str, Any] = {
        "queries": len(measured.queries),
        "drafted": sum(query.is_drafted for query in measured.queries),
        "missing_gold": list(measured.missing),
        "models": measured.models,
        "modes": evaluation_record(measured.evaluation),
    }
    if measured.is_pool:
        record |= {"unanswered": measured.unanswered, "unjudged": unjudged_record(measured.evaluation)}
    if other is not None:
        record["against"] = {
            "settings": against,
            "models": other.models,
            "missing_gold": list(other.missing),
            "modes": evaluation_record(other.evaluation),
            "differences": difference_record(measured.evaluation, other.evaluation),
        }
    return record


def _print(measured: "Measured", other: "Measured | None", against: dict[str, Any]) -> None:
    from ragcrawler.retrieval.evaluation.evaluation_lines import difference_lines

    _print_one(measured, "as configured")
    if other is not None:
        named = ", ".join(f"{name}={value}" for name, value in against.items())
        _print_one(other, f"with {named}")
        sys.stdout.write(f"\nWhat {named} changes:\n")
        for line in difference_lines(measured.evaluation, other.evaluation):
            sys.stdout.write(line + "\n")


def _print_one(measured: "Measured", title: str) -> None:
    from ragcrawler.retrieval.evaluation.evaluation_lines import evaluation_lines, fusion_line, unjudged_line
    from ragcrawler.retrieval.formatting.printable import printable

    drafted = sum(query.is_drafted for query in measured.queries)
    note = f", {drafted} of them drafted from headings: easier than questions are" if drafted else ""
    sys.stdout.write(f"{len(measured.queries)} queries {title}, {measured.models}{note}\n")
    if measured.missing:
        shown = printable(" ".join(measured.missing[:_SHOWN_MISSING]))
        sys.stdout.write(f"gold pages that are not in the collection: {len(measured.missing)}, {shown}\n")
    if measured.unanswered:
        sys.stdout.write(f"queries left out, nothing is relevant to them: {measured.unanswered}\n")
    pool = unjudged_line(measured.evaluation) if measured.is_pool else ""
    for line in (*evaluation_lines(measured.evaluation), fusion_line(measured.evaluation), pool):
        sys.stdout.write(line + "\n" if line else "")
