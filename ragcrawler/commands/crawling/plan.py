"""`scrapy plan`: what a crawl would take and leave out, without storing anything."""

import argparse
import json
import sys
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from scrapy.commands import ScrapyCommand
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.utils.conf import arglist_to_dict

from ragcrawler.commands.base.setting_warnings import warn_of_names
from ragcrawler.urls.credentials import mask_credentials

if TYPE_CHECKING:
    from ragcrawler.frontier.filters.kept_out import KeptOut
    from ragcrawler.run.reporting.plan import Plan
    from ragcrawler.spiders.seeds import SeedsSpider

_OWN: dict[str, Any] = {
    "ITEM_PIPELINES": {},
    "FEEDS": {},
    "TRACE_URLS": False,
    "PROGRESS_ENABLED": False,
    "HTTPCACHE_ENABLED": False,
    "EXTENSIONS": {
        "scrapy.extensions.logstats.LogStats": None,
        "ragcrawler.extensions.outcomes.OutcomesExtension": 10,
        "ragcrawler.extensions.plan.PlanExtension": 15,
    },
}


class Command(ScrapyCommand):
    """The seeds spider without pipelines: robots.txt, sitemaps, start pages and some that they link to."""

    requires_project = True

    def syntax(self) -> str:
        return "-a domains=... [options]"

    def short_desc(self) -> str:
        return "Show what a crawl would take and skip, by reason; stores nothing"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """The arguments of the spider, how far to look, and the form of the answer."""
        super().add_options(parser)
        parser.add_argument("-a", dest="spargs", action="append", default=[], metavar="NAME=VALUE")
        parser.add_argument("--pages", type=int, default=20, help="linked pages that are fetched (20)")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the arguments; warnings alone are logged, unless `-s LOG_LEVEL` says otherwise.

        Raises:
            UsageError: an argument is no NAME=VALUE, or --pages is no number of pages.
        """
        cast(Settings, self.settings).setdict({"LOG_LEVEL": "WARNING"}, priority="project")
        super().process_options(args, opts)
        warn_of_names(self.settings)
        try:
            opts.spargs = arglist_to_dict([*opts.spargs, *args])
        except ValueError as error:
            raise UsageError("Give arguments as -a NAME=VALUE", print_help=False) from error
        if opts.pages < 1:
            raise UsageError(f"--pages is {opts.pages}; it should be at least 1", print_help=False)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - Scrapy's signature
        """Look ahead and print; the exit code is 3 where a crawl would take nothing."""
        settings = cast(Settings, self.settings)
        kept_out, refusal = _kept_out(settings)
        with TemporaryDirectory(prefix="ragcrawler-plan-") as folder:
            own = {**_OWN, "PLAN_PAGES": opts.pages, "OUTPUT_DIR": folder}
            settings.setdict(own, priority="cmdline")
            if refusal := refusal or _refusal(settings, opts.spargs):
                sys.stderr.write(f"Error: {mask_credentials(refusal)}\n")
                self.exitcode = 1
                return
            plan = self._look(opts.spargs, kept_out)
        sys.stdout.write(json.dumps(plan.to_json()) + "\n" if opts.json else _text(plan))
        self.exitcode = 0 if plan.taken else 3

    def _look(self, arguments: dict[str, str], kept_out: "KeptOut") -> "Plan":
        from scrapy import signals

        from ragcrawler.extensions.plan import PlanExtension
        from ragcrawler.run.reporting.stat_rows import counts_under

        process = cast(AsyncCrawlerProcess, self.crawler_process)
        crawler = process.create_crawler("seeds")

        def keep_out(spider: "SeedsSpider") -> None:
            spider.frontier.kept_out = kept_out

        crawler.signals.connect(keep_out, signal=signals.spider_opened)
        process.crawl(crawler, **arguments)
        process.start()
        extension = crawler.get_extension(PlanExtension)
        if extension is None:
            raise RuntimeError("the plan was not counted: EXTENSIONS leaves PlanExtension out")
        return extension.tally.plan(counts_under(crawler.stats.get_stats(), "junk/"))


def _kept_out(settings: Settings) -> "tuple[KeptOut, str]":
    """What the collection keeps out; or why that cannot be read."""
    from ragcrawler.bootstrap.start_error import StartError
    from ragcrawler.frontier.filters.kept_out import KeptOut
    from ragcrawler.run.removal import kept_out

    try:
        return KeptOut(kept_out(settings)), ""
    except StartError as error:
        return KeptOut(), str(error)


def _refusal(settings: Settings, arguments: dict[str, str]) -> str:
    from ragcrawler.commands.base.validate_settings import validate_settings
    from ragcrawler.spiders.seeds import SeedsSpider

    if refusal := validate_settings(settings):
        return refusal
    try:
        SeedsSpider.check_arguments(arguments, settings)
    except ValueError as error:
        return str(error)
    return ""


def _text(plan: "Plan") -> str:
    from ragcrawler.frontier.filters.junk import how_to_keep

    lines = [
        f"A crawl would take {plan.taken} pages and leave out {plan.skipped} URLs, as far as can be seen now."
    ]
    width = max((len(row.reason) for row in plan.rows), default=0)
    lines += (
        f"{row.fate}  {row.count:>7}  {row.reason:<{width}}  {'  '.join(row.examples)}" for row in plan.rows
    )
    for name, counts in (("languages", plan.languages), ("versions", plan.versions)):
        if len(counts) > 1:
            found = ", ".join(f"{word} {count}" for word, count in counts.items())
            lines.append(
                f"There are mirrors by {name}: {found}. To take some: -a {name}={next(iter(counts))}"
            )
    if plan.junk:
        found = ", ".join(f"{word} {count}" for word, count in plan.junk.items())
        lines.append(f"Left out as junk: {found}. {how_to_keep(plan.junk).replace('`', '')}")
    return "\n".join(lines) + "\n"
