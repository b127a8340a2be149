"""Where a packed document leads to: its links, without its own pictures and places."""

import re

from ragcrawler.conversion.links import markdown_links

_OWN_PICTURE = re.compile(r"!\[[^\]\n]*\]\(picture-\d+\.\w+\)")


def document_links(markdown: str, url: str) -> tuple[str, ...]:
    """Absolute URLs in order, each once, that lead away from the document at `url`."""
    away = markdown_links(_OWN_PICTURE.sub("", markdown), url)
    return tuple(link for link in away if link != url.partition("#")[0])
