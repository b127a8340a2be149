"""Read the start tags of a page in document order, in time and memory linear in the page's length.

Links are read in the process that crawls, for every page that comes, so a hostile page must not stop it. This
rules out a tree: the HTML standard's rules for open formatting elements let 40 kB of `<p><font size=1>`,
`<p><font size=2>`, ... grow to two million nodes in any parser that keeps them (lexbor: 0.7 GB), and nesting
may take quadratic time. Links need less than a tree. This is the standard's tokenizer without its tree
construction (HTML standard, section 13.2.5), for the elements in question: comments, quoted attributes and
the text of scripts hide what looks like a tag in them.
"""

import html
import re
from collections.abc import Iterator
from html.entities import html5
from typing import NamedTuple

# Elements whose content is text, whatever it looks like.
_TEXT_ELEMENTS = b"script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext"
_LINK_ELEMENTS = b"a|area|base|frame|link|meta"

# Each repetition is possessive: what it has consumed is never looked at again, closed or not.
_VALUE = rb"""\s*+=\s*+(?:"[^"]*+"?+|'[^']*+'?+|[^\s>]*+)"""
_ATTRIBUTES = rb"(?:[\s/]++|[^\s/>][^\s/>=]*+(?:" + _VALUE + rb")?+)*+"
_NAME = rb"(?:(?P<text>" + _TEXT_ELEMENTS + rb")|(?P<link>" + _LINK_ELEMENTS + rb"))(?=[\s/>])"
_STOP = rb"!--|(?:" + _TEXT_ELEMENTS + rb"|" + _LINK_ELEMENTS + rb")[\s/>]"
# The empty choice is for Python up to 3.11.4, Debian 12's for one: there a possessive repetition whose last
# turn fails keeps what that turn had consumed (CPython's gh-106052), and no tag would be found.
_OTHER = rb"[^<]++|<(?!" + _STOP + rb")(?:/?[a-z][^\s/>]*+" + _ATTRIBUTES + rb">?+|[!?/][^>]*+>?+)?+|"
# Only for `match`: a search would begin anew at every character behind the last tag.
_FOUND = rb"(?P<comment>!--)|" + _NAME + rb"(?P<attributes>" + _ATTRIBUTES + rb")>?+"
_NEXT = re.compile(rb"(?:" + _OTHER + rb")*+<(?:" + _FOUND + rb")")
_COMMENT_END = re.compile(rb"--!?>")
_ATTRIBUTE = re.compile(rb"""([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"?+|'([^']*+)'?+|([^\s>]*+)))?+""")
_WANTED = {
    name.encode(): name
    for name in ("href", "src", "rel", "http-equiv", "content", "name", "hreflang", "type")
}
# Bounded digits: Python refuses to read a number of thousands of them.
# In an attribute `&copy=1` is no reference, but `&copy;` is, and `&#38` always (section 13.2.5.73).
_REFERENCE = re.compile(
    r"&(?:#[0-9]{1,9};?|#[xX][0-9a-fA-F]{1,8};?|[A-Za-z][A-Za-z0-9]*(?:;|(?![=A-Za-z0-9;])))"
)


class StartTag(NamedTuple):
    """A tag that may hold a link; `name` in lower case, `source` the bytes of its attributes."""

    name: str
    source: bytes

    def attributes(self) -> dict[str, str]:
        """The attributes that links need, by lower-case name, the first of each, "" where it has no value."""
        found: dict[str, str] = {}
        for written, double_quoted, single_quoted, bare in _ATTRIBUTE.findall(self.source):
            name = _WANTED.get(written.lower())
            if name and name not in found:
                found[name] = _text(double_quoted or single_quoted or bare)
        return found


def link_tags(markup: bytes) -> Iterator[StartTag]:
    """The tags a, area, base, frame, link and meta of a page in UTF-8."""
    # bytes.lower() leaves everything but ASCII letters alone, so that offsets hold in both.
    lower = markup.lower()
    position = 0
    while (match := _NEXT.match(lower, position)) is not None:
        position = match.end()
        if match["link"]:
            yield StartTag(match["link"].decode("ascii"), markup[slice(*match.span("attributes"))])
        elif match["text"]:
            position = _behind_text(lower, match["text"], position)
        else:
            # The two dashes may belong to the end as well: `<!-->` is a whole comment.
            end = _COMMENT_END.search(lower, match.start("comment") + 1)
            position = end.end() if end else len(lower)


def _behind_text(lower: bytes, name: bytes, position: int) -> int:
    end = re.compile(rb"</" + name + rb"(?=[\s/>])").search(lower, position) if name != b"plaintext" else None
    return end.start() if end else len(lower)


def _text(value: bytes) -> str:
    text = value.decode("utf-8", "replace")
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    # unescape() by itself takes the beginning of a longer name for a reference: `&region` for `&reg`.
    name = match.group()[1:]
    return html.unescape(match.group()) if name.startswith("#") or name in html5 else match.group()
