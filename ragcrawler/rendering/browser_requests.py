"""Which requests of a page's scripts are answered."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

# Fonts, pictures and films bring no text; the rest only reports to somebody, or never ends.
_WANTED_KINDS = {"script", "fetch", "xhr"}
_MAX_POSTED_BYTES = 64 * 2**10

Answer = Literal["page", "empty", "fetch", "refuse"]


@dataclass(frozen=True, slots=True)
class BrowserRequest:
    """One request, as the browser shows it before it is sent.

    Attributes:
        url: absolute.
        method: in upper case.
        kind: Playwright's resource type: "document", "script", "xhr", "image" ...
        opens_page: it would put another document in the place of the page, or is the page itself.
        content_type: of what is sent, "" where nothing is.
        sent_bytes: length of what is sent.
    """

    url: str
    method: str = "GET"
    kind: str = "fetch"
    opens_page: bool = False
    content_type: str = ""
    sent_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision about a request.

    Attributes:
        answer: the page itself, nothing (with status 200), what the site says, or a refusal.
        reason: of a refusal, one word to count by.
    """

    answer: Answer
    reason: str = ""


def judge(request: BrowserRequest, page_url: str, *, is_first: bool) -> Judgement:
    """Judge a request by its kind; its address and robots.txt are judged where it is downloaded.

    Scripts may read from anywhere (GET, HEAD), and ask their own site by POST with JSON, as GraphQL does: a
    form cannot send that type, so nothing is signed up for or bought by a mere visit.

    Args:
        request: of the browser.
        page_url: the page that is rendered.
        is_first: the page itself has not been answered yet.
    """
    if request.opens_page:
        return Judgement("page") if is_first else Judgement("refuse", "navigation")
    if urlsplit(request.url).scheme not in ("http", "https"):
        return Judgement("refuse", "scheme")
    if request.kind == "stylesheet":
        # An application may give up where one is refused; its layout is not looked at.
        return Judgement("empty")
    if request.kind not in _WANTED_KINDS:
        return Judgement("refuse", request.kind)
    if request.method in ("GET", "HEAD"):
        return Judgement("fetch")
    return _judge_post(request, page_url)


def _judge_post(request: BrowserRequest, page_url: str) -> Judgement:
    is_question = (
        request.method == "POST"
        and _origin(request.url) == _origin(page_url)
        and request.content_type.partition(";")[0].strip().lower() == "application/json"
        and request.sent_bytes <= _MAX_POSTED_BYTES
    )
    return Judgement("fetch") if is_question else Judgement("refuse", "method")


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
