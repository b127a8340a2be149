"""The `-a` arguments of the research spider."""

from collections.abc import Mapping

from ragcrawler.frontier.filters.rules import UrlRules
from ragcrawler.frontier.scope import Scope
from ragcrawler.research.bounds import ResearchBounds
from ragcrawler.run.research.request import ResearchRequest
from ragcrawler.spiders.argument_table import Argument
from ragcrawler.spiders.arguments import ArgumentError, SeedsArguments, refuse_unknown

RESEARCH_ARGUMENTS = (
    Argument("goal", "Ancient Roman Economy", "what to find out"),
    Argument("template", "economy", "the fields of a row: `scrapy templates list` names them"),
    Argument("urls", "https://a.org/x,https://a.org/y", "pages to begin with, or @FILE with one a line"),
    Argument("domains", "a.org,b.org", "hosts to stay on, and to begin with where no urls are given"),
    Argument("depth", "3", "links followed from a page to begin with, and questions below a first one (3)"),
    Argument("budget_pages", "200", "pages that are read at the most; 0: any number (the default)"),
    Argument("budget_tokens", "1000000", "of the language model; 0: any number (the default)"),
    Argument("budget_usd", "5", "for the language model; 0: no bound (the default)"),
    Argument("budget_minutes", "30", "of this run; 0: no bound (the default)"),
    Argument("search", "searxng", "search engines that are asked each question, as in the discover spider"),
    Argument(
        "resume", "ancient-roman-economy-1a2b3c4d", "id of a research that is to go on, with its domains"
    ),
)
_NAMES = tuple(argument.name for argument in RESEARCH_ARGUMENTS)
_OF_SEEDS = ("urls", "domains")


def parse_research(arguments: Mapping[str, str]) -> tuple[ResearchRequest, SeedsArguments]:
    """The research, and where its crawl begins and may go.

    Raises:
        ArgumentError: an argument is unknown, invalid or missing.
        ScopeError: the domains name nothing to crawl.
    """
    refuse_unknown(arguments, _NAMES, "research")
    resumed = arguments.get("resume", "")
    for name in ("goal", "template"):
        if not (resumed or arguments.get(name, "").strip()):
            raise ArgumentError(f"-a {name}=... is missing: `scrapy arguments research` explains it")
    given = {name: arguments.get(name, "") for name in _OF_SEEDS}
    engines = arguments.get("search", "").strip()
    has_no_seeds = not any(value.strip() for value in given.values())
    if has_no_seeds and not (engines or resumed):
        raise ArgumentError("give urls=..., domains=... or search=...: where the research begins")
    seeds = SeedsArguments(Scope(()), (), UrlRules()) if has_no_seeds else SeedsArguments.parse(given)
    bounds = ResearchBounds(
        depth=int(_number("depth", arguments.get("depth", "") or "3", whole=True)),
        pages=int(_number("budget_pages", arguments.get("budget_pages", ""), whole=True)),
        tokens=int(_number("budget_tokens", arguments.get("budget_tokens", ""), whole=True)),
        dollars=_number("budget_usd", arguments.get("budget_usd", "")),
        minutes=_number("budget_minutes", arguments.get("budget_minutes", "")),
    )
    goal = " ".join(arguments.get("goal", "").split())
    template = arguments.get("template", "")
    # With both, the domains only say where links may lead.
    urls = arguments.get("urls", "")
    named = SeedsArguments.parse({"urls": urls}).start_urls if urls else seeds.start_urls
    return ResearchRequest(goal, template, named, bounds, resumed, given["domains"], engines), seeds


def _number(name: str, value: str, *, whole: bool = False) -> float:
    try:
        number = float(int(value or 0) if whole else float(value or 0))
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        kind = "a whole number" if whole else "a number"
        raise ArgumentError(f"-a {name}={value} should be {kind} of at least 0")
    return number
