"""The frame of a page: it loads nothing, and runs no script but its own."""

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lxml import etree

from ragcrawler.research.report.html.elements import element

_STYLE, _SCRIPT = "page.css", "page.js"


def page(title: str, content: Iterable[etree._Element], refresh_seconds: int = 0) -> str:
    """A whole HTML file.

    Args:
        title: of the page.
        content: of its body.
        refresh_seconds: after which a browser loads it again; 0 for never.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy()),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", _file(_STYLE)),
    )
    if refresh_seconds:
        head.append(element("meta", http_equiv="refresh", content=str(refresh_seconds)))
    body = element("body", element("main", *content), element("script", _file(_SCRIPT)))
    document = element("html", head, body, lang="en")
    return etree.tostring(document, encoding="unicode", method="html", doctype="<!DOCTYPE html>") + "\n"


def _policy() -> str:
    style, script = (_hash(_file(name)) for name in (_STYLE, _SCRIPT))
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
