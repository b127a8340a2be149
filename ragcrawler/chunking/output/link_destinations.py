"""Markdown as its readers see it: what links and pictures are called, without where they lead."""

import re

from ragcrawler.chunking.parsing.data_addresses import without_data

_LABEL = r"(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*\])*"
# What looks like an address: code such as `handlers[0](event)` keeps its argument.
_DESTINATION = r"(?:[a-zA-Z][\w+.-]*:|/|#|\.{1,2}/)[^\s()]*(?:\([^\s()]*\)[^\s()]*)*"
_LINK = re.compile(rf"""(?<!\\)!?\[({_LABEL})\]\((?:<[^<>\n]*>|{_DESTINATION})(?:\s+"(?:[^"\\]|\\.)*")?\)""")


def without_destinations(markdown: str) -> str:
    """The text with `[label](address "title")` and `![label](address)` as their labels, and without data.

    Addresses are many tokens that say little: a model reads more of the text without them, and its words are
    not those of the site's name. One that is the data itself leaves the name of its type, wherever it stands.
    """
    if "](" in markdown:
        # Twice for a picture that is a link.
        markdown = _LINK.sub(r"\1", _LINK.sub(r"\1", markdown))
    return without_data(markdown)
