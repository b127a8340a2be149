"""HTML text to a tree of bounded depth."""

import re
from itertools import dropwhile

from lxml import etree, html

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.html.repair import cap_attributes, clip_spans, release_content
from ragcrawler.conversion.limits import ConversionLimits

# Characters, and references to them, that no XML tree may hold or that serve as marks (see `sentinels`).
_CONTROLS = bytes({*range(32)} - {*b"\t\n\r"})
_NONCHARACTERS = re.compile("[\ufdd0-\ufddf\ufffe\uffff]")
_NONCHARACTER_BYTES = (b"\xef\xb7", b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_REFERENCES = re.compile(
    "&#(?:x0*(?:fdd[0-9a-f]|[0-8bcef]|1[0-9a-f]|fff[ef]|d[89a-f][0-9a-f]{2})(?![0-9a-f])"
    "|0*(?:649(?:7[6-9]|8[0-9]|9[01])|[0-8]|1[124-9]|2[0-9]|3[01]|6553[45])(?![0-9]));?",
    re.IGNORECASE | re.ASCII,
)
_XHTML = "http://www.w3.org/1999/xhtml"
_PROLOGUE_CHARACTERS = 2_000
_SELF_CLOSED = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)([A-Za-z][\w:-]*)([^<>]*)/>"
)
"""In XHTML any element may close itself; to an HTML parser `<title/>` swallows the page."""
# All that may stand in a head; what comes behind anything else is the body's, as browsers have it.
_HEAD_TAGS = {
    "title",
    "meta",
    "link",
    "base",
    "style",
    "script",
    "noscript",
    "template",
    "basefont",
    "bgsound",
}
_FORMATTING = ("font", "span", "b", "i", "u", "em", "strong", "small", "big", "center", "tt", "a", "nobr")


def parse(text: str, url: str, limits: ConversionLimits) -> html.HtmlElement:
    """The `html` element of a page.

    A page that is too deep because formatting was never closed is flattened, as a browser would show it.

    Raises:
        ConversionError: `empty` where there is no element, `too_deep` over `max_nesting_levels`.
    """
    if _XHTML in text[:_PROLOGUE_CHARACTERS]:
        text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    try:
        root = html.document_fromstring(_legal(cap_attributes(text)), parser=_parser())
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise ConversionError("empty", f"no element in {len(text)} characters of HTML", url=url) from error
    _end_head(root)
    if _deeper_than(root, limits.max_nesting_levels):
        etree.strip_tags(root, *_FORMATTING)
        if _deeper_than(root, limits.max_nesting_levels):
            message = f"elements nested deeper than max_nesting_levels = {limits.max_nesting_levels}"
            raise ConversionError("too_deep", message, url=url)
    clip_spans(root)
    release_content(root)
    return root


def _parser() -> html.HTMLParser:
    """A parser whose elements are all of one class.

    lxml.html looks the class of each element up in Python, each time that one is touched again. That took a
    tenth of a conversion, for classes of forms alone. The extractor's copies of the tree have it too.
    """
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    parser.set_element_class_lookup(etree.ElementDefaultClassLookup(element=html.HtmlElement))
    return parser


def _end_head(root: html.HtmlElement) -> None:
    """Move content out of the head: libxml2 leaves elements there that it does not know, such as `main`."""
    head = root.find("head")
    content = [] if head is None else list(dropwhile(lambda each: each.tag in _HEAD_TAGS, head))
    if not content:
        return
    body = root.find("body")
    if body is None:
        body = html.Element("body")
        root.append(body)
    for index, element in enumerate(content):
        body.insert(index, element)


def _legal(text: str) -> bytes:
    """UTF-8 without what a tree may not hold; bytes are looked through ten times faster than text."""
    text = _REFERENCES.sub("\ufffd", text)
    encoded = text.encode("utf-8", "replace")
    if any(mark in encoded for mark in _NONCHARACTER_BYTES):
        encoded = _NONCHARACTERS.sub("\ufffd", text).encode("utf-8", "replace")
    return encoded.translate(None, _CONTROLS)


def _deeper_than(root: html.HtmlElement, levels: int) -> bool:
    path = "/*" * (levels + 1)
    return bool(root.getroottree().xpath(f"boolean({path})"))
