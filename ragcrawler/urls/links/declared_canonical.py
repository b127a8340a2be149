"""Whether to believe a page that gives another address as its own."""

from collections.abc import Sequence
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from ragcrawler.urls.identity import url_key

Doubt = Literal["", "conflicting", "start_page"]


class DeclaredCanonical(NamedTuple):
    """The canonical URL that a page declares.

    Attributes:
        url: its better address, "" where it has none, or none that can be believed.
        doubt: why it is not believed; "" where there is nothing to doubt.
    """

    url: str = ""
    doubt: Doubt = ""


def declared_canonical(page_url: str, named: Sequence[str]) -> DeclaredCanonical:
    """The one address that a page gives for itself with `rel=canonical`.

    A page that names itself among others stands for itself. Several others contradict each other. A deep page
    that calls the start page its own address comes of a template that says so on every page: believing it
    would leave one page of a whole site.

    Args:
        page_url: where the page was found, canonical.
        named: the canonical URLs it gives, in its markup and in the `Link` header.
    """
    others = {url_key(url): url for url in named}
    if not others or url_key(page_url) in others:
        return DeclaredCanonical()
    if len(others) > 1:
        return DeclaredCanonical(doubt="conflicting")
    (url,) = others.values()
    path = urlsplit(page_url).path
    if urlsplit(url).path == "/" and path != "/" and not path.startswith(("/home", "/index")):
        return DeclaredCanonical(doubt="start_page")
    return DeclaredCanonical(url)


_ENDING = ".md"
_FOLDER_INDEX = "index.html.md"


def page_of_markdown_alternate(url: str) -> str:
    """The page whose Markdown a canonical URL names: without `.md`; "" where it names none.

    `guide.html.md` and `guide.md` belong to `guide.html` and `guide`, `index.html.md` to its folder. That a
    page is there is a guess: only llms.txt makes it likely.
    """
    parts = urlsplit(url)
    if parts.query or not parts.path.lower().endswith(_ENDING):
        return ""
    if parts.path.lower().endswith(f"/{_FOLDER_INDEX}"):
        return url[: -len(_FOLDER_INDEX)]
    page = url[: -len(_ENDING)]
    return "" if page.endswith("/") else page
