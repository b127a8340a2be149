"""Listings that are text: one URL a line (sitemaps.org), or Markdown with links (llmstxt.org)."""

import re

from ragcrawler.urls.listings.entries import Entries

_MARKDOWN_LINK = re.compile(r"\]\(\s*+<?([^\s()<>]++)")
_URL_LINE = re.compile(r"https?://\S++\Z", re.IGNORECASE)


def read_text(text: str, entries: Entries, *, is_llms_text: bool) -> None:
    """Gather the URLs of a text."""
    entries.kind = "llms_text" if is_llms_text else "text"
    for line in text.splitlines():
        if is_llms_text:
            for match in _MARKDOWN_LINK.finditer(line):
                if not match.group(1).startswith("#"):
                    entries.page(match.group(1))
        elif _URL_LINE.match(line.strip()):
            entries.page(line)
