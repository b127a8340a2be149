"""Pages that have their Markdown beside them (llmstxt.org)."""

from urllib.parse import urlsplit

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
