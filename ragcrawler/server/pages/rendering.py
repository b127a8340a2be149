"""Templates, and what they call."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse

from ragcrawler.retrieval.formatting.html import colours
from ragcrawler.retrieval.formatting.terminal_lines import path_line
from ragcrawler.server.pages.excerpt import excerpt
from ragcrawler.server.pages.forms import CHUNKS_A_PAGE
from ragcrawler.server.pages.markdown import LINK_RELATION, markdown_html, web_url

STATIC_TYPES: Mapping[str, str] = {
    "style.css": "text/css",
    "search.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


def render(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page; every value is escaped."""
    return HTMLResponse(_environment().get_template(template).render(values), status)


@cache
def static_file(name: str) -> bytes:
    """A file that pages ask for; the colours of the style are those of all our pages."""
    shared = colours().encode() if name == "style.css" else b""
    return shared + files("ragcrawler.server.pages").joinpath("static", name).read_bytes()


def _static_url(name: str) -> str:
    """With a hash: browsers may keep the file until it changes."""
    return f"/static/{name}?v={sha256(static_file(name)).hexdigest()[:12]}"


def _url(path: str, parameters: Mapping[str, str] | None = None, fragment: str = "") -> str:
    query = f"?{urlencode(parameters)}" if parameters else ""
    return f"{quote(path)}{query}{fragment}"


def _chunk_url(document_id: str, position: int, query: str) -> str:
    """Where the view of a document shows a chunk."""
    start = position // CHUNKS_A_PAGE * CHUNKS_A_PAGE
    parameters = {name: str(value) for name, value in (("start", start), ("q", query)) if value}
    return _url(f"/document/{document_id}", parameters, f"#chunk-{position}")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("ragcrawler.server.pages"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "static_url": _static_url,
        "url": _url,
        "chunk_url": _chunk_url,
        "web_url": web_url,
        "link_relation": LINK_RELATION,
    }
    environment.filters |= {"markdown": markdown_html, "excerpt": excerpt, "path": path_line}
    return environment
