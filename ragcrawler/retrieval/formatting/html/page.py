"""The frame of a page: it loads nothing, and runs no script but its own."""

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from lxml import etree

from ragcrawler.retrieval.formatting.html.elements import element

_COLOURS, _STYLE = "colours.css", "page.css"


def page(
    title: str,
    content: Iterable[etree._Element],
    *,
    style: str = "",
    script: str = "",
    refresh_seconds: int = 0,
) -> str:
    """A whole HTML file.

    Args:
        title: of the page.
        content: of its body.
        style: CSS of this kind of page, behind that of all.
        script: JavaScript of this kind of page; none where it is "".
        refresh_seconds: after which a browser loads it again; 0 for never.
    """
    styles = colours() + _file(_STYLE) + style
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(styles, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", styles),
    )
    if refresh_seconds:
        head.append(element("meta", http_equiv="refresh", content=str(refresh_seconds)))
    body = element("body", element("main", *content))
    if script:
        body.append(element("script", script))
    document = element("html", head, body, lang="en")
    return etree.tostring(document, encoding="unicode", method="html", doctype="<!DOCTYPE html>") + "\n"


def colours() -> str:
    """The colours of all pages, light and dark, as CSS."""
    return _file(_COLOURS)


def _policy(styles: str, script: str) -> str:
    scripts = f"script-src 'sha256-{_hash(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src 'sha256-{_hash(styles)}'; {scripts}"
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _file(name: str) -> str:
    return files("ragcrawler.retrieval.formatting.html").joinpath(name).read_text(encoding="utf-8")
