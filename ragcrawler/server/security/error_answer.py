"""The answer to a request that is refused: a page for browsers, JSON for programs."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from ragcrawler.retrieval.formatting.html import element, page

# The page loads nothing, which would be refused too. The rest of its policy stands in its head.
_OF_A_PAGE = {"Content-Security-Policy": "frame-ancestors 'none'"}


def is_browser(scope: Scope) -> bool:
    """Whether the client wants pages, as browsers say and programs do not."""
    return "text/html" in Headers(scope=scope).get("accept", "")


def error_answer(
    scope: Scope, status: int, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The message as a page, or as JSON, as every endpoint gives its errors."""
    if not is_browser(scope):
        return JSONResponse({"error": message}, status, headers=headers)
    title = HTTPStatus(status).phrase
    again = element("p", element("a", "Try again", href=""))
    written = page(title, [element("h1", title), element("p", message), again])
    return HTMLResponse(written, status, headers={**_OF_A_PAGE, **(headers or {})})
