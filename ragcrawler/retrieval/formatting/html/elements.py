"""Elements of HTML; text of strangers can only become text."""

import re

from lxml import etree

from ragcrawler.retrieval.formatting.printable import printable

Child = str | etree._Element
WEB = ("https://", "http://")
"""How URLs begin that may be links."""

# lxml refuses these two, which are no characters.
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")


def element(name: str, /, *children: Child, **attributes: str) -> etree._Element:
    """An element; `_` at the end of an attribute's name is dropped, other ones are dashes."""
    made = etree.Element(name)
    for key, value in attributes.items():
        made.set(key.rstrip("_").replace("_", "-"), _clean(value))
    for child in children:
        add(made, child)
    return made


def add(parent: etree._Element, child: Child) -> None:
    """Append text or an element."""
    if not isinstance(child, str):
        parent.append(child)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + _clean(child)
    else:
        parent.text = (parent.text or "") + _clean(child)


def link(url: str, text: str) -> etree._Element:
    """A link to a page of the web; a URL of another kind stays text."""
    if not url.startswith(WEB):
        return element("span", text)
    return element("a", text, href=url, rel="noreferrer noopener")


def _clean(text: str) -> str:
    return _NO_CHARACTERS.sub("", printable(text))
