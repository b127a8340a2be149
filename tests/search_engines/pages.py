"""Pages of results of our own making, after the structure that each engine is documented to have.

`fixtures/<engine>/<layout>.html` holds the parts of one layout, each behind a comment with its name: the
shell around the results, one result, what is an advertisement, and the pages that come instead of results.
"""

import base64
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import quote

from ragcrawler.search_engines.answer import SearchState
from ragcrawler.search_engines.definitions import DEFINITIONS
from ragcrawler.search_engines.engine import EngineReply

FIXTURES = Path(__file__).parent / "fixtures"
LAYOUTS = sorted((engine, path.stem) for engine in DEFINITIONS for path in (FIXTURES / engine).glob("*.html"))
URLS = tuple(f"https://site{number}.example/pages/{number}?id={number}" for number in range(1, 7))
SITUATIONS: dict[str, SearchState] = {
    "results": SearchState.OK,
    "empty": SearchState.EMPTY,
    "consent": SearchState.CONSENT,
    "captcha": SearchState.CAPTCHA,
    "too_many": SearchState.BLOCKED,
    "stub": SearchState.BLOCKED,
    "wrapped": SearchState.OK,
    "ads": SearchState.OK,
}
RETRY_AFTER = 77


@dataclass(frozen=True)
class FixturePage:
    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)

    def reply(self, url: str) -> EngineReply:
        return EngineReply(url, self.status, self.headers, self.body)


def wrapped(engine: str, url: str) -> str:
    encoded = base64.urlsafe_b64encode(url.encode()).decode().rstrip("=")
    return {
        "google": f"/url?sa=t&q={quote(url, safe='')}&ved=1",
        "brave": f"https://search.brave.com/redirect?url={quote(url, safe='')}",
        "duckduckgo": f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&rut=1",
        "bing": f"https://www.bing.com/ck/a?!&&p=1&u=a1{encoded}&ntb=1",
        "mojeek": f"https://www.mojeek.com/click?u={quote(url, safe='')}",
    }[engine]


def parts(engine: str, layout: str) -> dict[str, str]:
    text = (FIXTURES / engine / f"{layout}.html").read_text(encoding="utf-8")
    _, *pieces = re.split(r"<!-- (\w+) -->\n", text)
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def make_page(engine: str, layout: str, situation: str, urls: tuple[str, ...] = URLS) -> FixturePage:
    part = parts(engine, layout)
    if situation == "too_many":
        return FixturePage(429, "<p>Too many requests</p>", {"retry-after": str(RETRY_AFTER)})
    if situation in ("consent", "captcha", "stub"):
        return FixturePage(200, part[situation])
    if situation == "empty":
        return FixturePage(200, part["shell"].replace("{{main}}", part["empty"]))
    main = []
    for number, url in enumerate(urls):
        href = wrapped(engine, url) if situation == "wrapped" else url
        text = f"A text on subject {number}, long enough to be read as what a page is about."
        values = {"url": escape(href), "title": f"The title of page {number}", "text": text}
        main.append(re.sub(r"{{(\w+)}}", lambda match, values=values: values[match[1]], part["result"]))
        if situation == "ads" and number % 2 == 0:
            main.append(part["ad"])
    return FixturePage(200, part["shell"].replace("{{main}}", "\n".join(main)))


def without_hooks(body: str) -> str:
    """The same page after a redesign: no heading, id, attribute of data or role that a locator knows."""
    for old, new in ((r"<(/?)h[1-6]\b", r"<\1div"), (r' (id|role|data-[\w-]+|rel)="[^"]*"', "")):
        body = re.sub(old, new, body)
    return body
