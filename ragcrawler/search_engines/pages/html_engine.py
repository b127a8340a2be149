"""One engine, read from its pages of results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from lxml.html import HtmlElement

from ragcrawler.search_engines.answer import EngineAnswer, EngineResult, SearchState
from ragcrawler.search_engines.engine import EngineReply, EngineRequest
from ragcrawler.search_engines.pages.definition import EngineDefinition
from ragcrawler.search_engines.pages.document import (
    find,
    matches,
    outside_links,
    parse_page,
    seen_text,
)
from ragcrawler.search_engines.pages.located import located_results
from ragcrawler.search_engines.pages.repeated_blocks import FEWEST_BLOCKS, repeated_results
from ragcrawler.search_engines.pages.unwrapping import LinkReader
from ragcrawler.search_engines.query import SearchQuery

_OK = 200
_REFUSALS = {202, 401, 403, 429, 451, 503}  # 202: DuckDuckGo says "later" by it
_OUTSIDE_LINKS = 5  # from so many on, a page without results is one that is not understood
_STUB_CHARACTERS = 2_000
_STUB_TEXT_CHARACTERS = 200
_FRAMES = {
    "reCAPTCHA": ".//iframe[contains(@src, '/recaptcha/')] | .//*[@id='recaptcha']",
    "hCaptcha": ".//iframe[contains(@src, 'hcaptcha.com')]",
    "Cloudflare": ".//iframe[contains(@src, 'challenges.cloudflare.com')] | .//*[@id='challenge-stage']",
    "captcha": ".//form[contains(@action, 'captcha') or contains(@id, 'captcha')] | .//*[@id='captcha']",
}
_CONSENT = (".//form[contains(@action, 'consent')]",)


@dataclass(frozen=True, slots=True)
class HtmlEngine:
    """An engine as its definition describes it."""

    definition: EngineDefinition

    @property
    def name(self) -> str:
        """Of the engine."""
        return self.definition.name

    @property
    def max_pages(self) -> int:
        """One where pages have no address."""
        return self.definition.paging.max_pages if self.definition.paging else 1

    def request(self, query: SearchQuery, page: int) -> EngineRequest:
        """The address of a page of results."""
        values = page_parameters(self.definition, query, page)
        url = f"{self.definition.base_url}{self.definition.path}?{urlencode(values)}"
        headers = {"Accept-Language": query.language} if query.language else {}
        return EngineRequest(self.name, url, headers)

    def read(self, reply: EngineReply) -> EngineAnswer:
        """The results and the state of a page, as it stands when its scripts have run."""
        page = _Page(self.definition, reply.url, parse_page(reply.body), len(reply.body))
        if reply.status in _REFUSALS:
            refused = page.captcha() or EngineAnswer(SearchState.BLOCKED, message=f"HTTP {reply.status}")
            return _with_pause(refused, reply.asked_pause)
        if reply.status != _OK:
            return EngineAnswer(SearchState.FAILED, message=f"HTTP {reply.status}")
        located = page.located()
        return _voted(located, page.repeated()) if located else page.without_results()


class _Page:
    """One page that came with status 200, or with a refusal."""

    def __init__(
        self, definition: EngineDefinition, url: str, document: HtmlElement, characters: int
    ) -> None:
        self._definition = definition
        self._url = url
        self._document = document
        self._characters = characters
        self._links = LinkReader(definition, url)
        areas = (find(document, expression) for expression in definition.skipped)
        self._skipped = frozenset(element for elements in areas for element in elements)

    def located(self) -> list[EngineResult]:
        if self._definition.captcha_urls.search(self._url) or self._definition.consent_urls.search(self._url):
            return []
        return located_results(self._document, self._definition, self._links, self._skipped)

    def repeated(self) -> list[str]:
        return repeated_results(self._document, self._links, self._skipped)

    def captcha(self) -> EngineAnswer | None:
        """It is never solved: whoever has the browser in front of them may."""
        kind = next((kind for kind, mark in _FRAMES.items() if find(self._document, mark)), "")
        is_marked = matches(self._document, self._definition.captcha_marks)
        if kind or is_marked or self._definition.captcha_urls.search(self._url):
            return EngineAnswer(SearchState.CAPTCHA, message=f"{kind or 'captcha'}: it asks for a human")
        return None

    def without_results(self) -> EngineAnswer:
        """Why the locators found nothing: empty only where the page says so."""
        return self.captcha() or self._consent() or self._drift() or self._empty() or self._stub() or _UNKNOWN

    def _consent(self) -> EngineAnswer | None:
        is_asked = matches(self._document, (*_CONSENT, *self._definition.consent_marks))
        if is_asked or self._definition.consent_urls.search(self._url):
            return EngineAnswer(
                SearchState.CONSENT, message="it asks for consent, which is not given for you"
            )
        return None

    def _drift(self) -> EngineAnswer | None:
        outside = {url for _, url in outside_links(self._document, self._links, self._skipped)}
        repeated = self.repeated()
        if len(outside) < _OUTSIDE_LINKS and len(repeated) < FEWEST_BLOCKS:
            return None
        message = f"the locators find nothing, but {len(outside)} links lead out of the engine"
        return EngineAnswer(SearchState.LAYOUT_CHANGED, message=message)

    def _empty(self) -> EngineAnswer | None:
        if matches(self._document, self._definition.empty_marks):
            return EngineAnswer(SearchState.EMPTY, is_last=True)
        return None

    def _stub(self) -> EngineAnswer | None:
        is_stub = self._characters < _STUB_CHARACTERS and bool(find(self._document, ".//script"))
        if is_stub and len(seen_text(self._document)) < _STUB_TEXT_CHARACTERS:
            return EngineAnswer(SearchState.BLOCKED, message="a page of scripts that bring nothing")
        return None


_UNKNOWN = EngineAnswer(
    SearchState.LAYOUT_CHANGED,
    message="neither results nor a sign that there are none: the page is not known",
)


def _voted(located: Sequence[EngineResult], repeated: Sequence[str]) -> EngineAnswer:
    """The located results; doubtful where blocks that repeat on the page are others."""
    results = tuple(located)
    missed = set(repeated) - {result.url for result in results}
    if len(results) < FEWEST_BLOCKS <= len(missed) == len(set(repeated)):
        message = f"the locators find {len(results)} links, but {len(missed)} others look like the results"
        return EngineAnswer(SearchState.LAYOUT_CHANGED, message=message)
    alarm = ""
    if len(missed) >= FEWEST_BLOCKS:
        alarm = f"{len(missed)} more links look like results: the layout may have changed"
    return EngineAnswer(SearchState.OK, results, alarm=alarm)


def _with_pause(answer: EngineAnswer, seconds: float | None) -> EngineAnswer:
    return EngineAnswer(answer.state, message=answer.message, pause_seconds=seconds)


_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def page_parameters(definition: EngineDefinition, query: SearchQuery, page: int) -> Mapping[str, str]:
    """The parameters of a page, the first being 1."""
    values = {name: value.replace("{terms}", query.terms) for name, value in definition.parameters.items()}
    paging = definition.paging
    if paging and page > 1:
        values[paging.parameter] = str(paging.start + (page - 2) * paging.step)
    if query.language:
        for name, value in definition.language_parameters.items():
            values[name] = value.replace("{language}", query.short_language)
    if definition.since_parameter and query.since:
        value = definition.since_values[query.since]
        values[definition.since_parameter] = _dated(value, _DAYS[query.since])
    return values


def _dated(value: str, days: int) -> str:
    today = datetime.now(UTC)
    first = today - timedelta(days=days)
    dates = {
        "{first_date}": f"{first:%Y%m%d}",
        "{first_day}": str((first - _EPOCH).days),
        "{last_day}": str((today - _EPOCH).days),
    }
    for name, date in dates.items():
        value = value.replace(name, date)
    return value
