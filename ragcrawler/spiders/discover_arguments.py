"""The `-a` arguments of the discover spider."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.frontier.scope import Scope
from ragcrawler.search_engines.query import SINCE, SearchQuery, Since
from ragcrawler.spiders.argument_table import Argument
from ragcrawler.spiders.arguments import (
    ArgumentError,
    SeedsArguments,
    read_flag,
    read_number,
    refuse_unknown,
)

DISCOVER_ARGUMENTS = (
    Argument("query", "how to rotate logs", "what to search for"),
    Argument("queries", "@queries.txt", "a file with a query on each line"),
    Argument(
        "engines",
        "searxng,brave_api",
        "whom to ask: searxng, brave_api, google_api; by browser brave, google, duckduckgo, bing, mojeek;"
        " without it all services that are set up",
    ),
    Argument("pages", "3", "pages of results of each engine and query; 1 by default"),
    Argument("per_domain", "5", "results of one domain for each query (5 by default); 0: any number"),
    Argument("site", "docs.example.org", "only results of this host"),
    Argument("language", "en", "of the results"),
    Argument("since", "month", "only results of the last day, week, month or year"),
    Argument("follow", "1", "crawl what is found, into the collection"),
    Argument("depth", "1", "links followed from what is found; 0 by default: these pages alone"),
    Argument("domains", "a.org,b.org", "crawl these alone, found elsewhere or not; private hosts by name"),
    Argument("max_pages", "500", "pages kept at the most; 0: any number (the default)"),
    Argument("include", "/docs/", "only results in whose URL one of these regular expressions is found"),
    Argument("dry_run", "1", "with follow: say what would change in the collection (--dry-run)"),
    Argument("exclude", "/(old|draft)/", "no results in whose URL one of these regular expressions is found"),
)
_NAMES = tuple(argument.name for argument in DISCOVER_ARGUMENTS)
_MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class DiscoverArguments:
    """What to search for, and what to do with it.

    Attributes:
        queries: each once.
        engines: with commas, as given.
        pages: of results.
        per_domain: 0 for any number.
        follows: whether what is found is crawled.
        widens_scope: whether the crawl may go wherever something is found.
        seeds: of the crawl.
    """

    queries: tuple[SearchQuery, ...]
    engines: str
    pages: int
    per_domain: int
    follows: bool
    widens_scope: bool
    seeds: SeedsArguments

    @classmethod
    def parse(cls, arguments: Mapping[str, str]) -> "DiscoverArguments":
        """Read the arguments.

        Raises:
            ArgumentError: a name is unknown, or a value is invalid.
            ScopeError: the domains name nothing to crawl.
            PatternError: a pattern is no regular expression.
        """
        refuse_unknown(arguments, _NAMES, "discover")
        domains = arguments.get("domains", "")
        seeds = SeedsArguments(
            scope=Scope.parse(domains) if domains else Scope(()),
            start_urls=(),
            rules=UrlRules.parse(arguments.get("include", ""), arguments.get("exclude", "")),
            max_pages=read_number("max_pages", arguments.get("max_pages", "0"), minimum=0),
            max_depth=read_number("depth", arguments.get("depth", "0"), minimum=0),
            is_dry=read_flag("dry_run", arguments.get("dry_run", "")),
        )
        return cls(
            queries=_queries(arguments),
            engines=arguments.get("engines", ""),
            pages=read_number("pages", arguments.get("pages", "1"), minimum=1),
            per_domain=read_number("per_domain", arguments.get("per_domain", "5"), minimum=0),
            follows=read_flag("follow", arguments.get("follow", "")),
            widens_scope=not domains,
            seeds=seeds,
        )


def _queries(arguments: Mapping[str, str]) -> tuple[SearchQuery, ...]:
    texts = [arguments.get("query", ""), *_lines(arguments.get("queries", ""))]
    wanted = dict.fromkeys(" ".join(text.split()) for text in texts if text.strip())
    if not wanted:
        raise ArgumentError("-a query=... says what to search for, or -a queries=@FILE with one a line")
    long = next((text for text in wanted if len(text) > _MOST_CHARACTERS), "")
    if long:
        raise ArgumentError(f"a query should have at most {_MOST_CHARACTERS} characters: {long[:60]}...")
    since = arguments.get("since", "")
    if since not in SINCE:
        raise ArgumentError(f"-a since={since} should be one of {', '.join(filter(None, SINCE))}")
    site, language = arguments.get("site", ""), arguments.get("language", "")
    return tuple(SearchQuery(text, site, language, cast(Since, since)) for text in wanted)


def _lines(value: str) -> list[str]:
    if not value:
        return []
    if not value.startswith("@"):
        raise ArgumentError(f"-a queries={value} should be @FILE with a query on each line")
    try:
        return Path(value[1:]).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"-a queries={value}: the file cannot be read: {error}") from error
