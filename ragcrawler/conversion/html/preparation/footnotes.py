"""Footnotes: the reference and the note it leads to get one label, `[^label]` in the Markdown."""

import re

from lxml import html

from ragcrawler.conversion.html.tags import HEADINGS

_REFERENCE_CLASS = re.compile(r"foot-?note|noteref|citation", re.IGNORECASE)
_LABEL = re.compile(r"[\[(]?(\d{1,3}|[a-z]|[*†‡§]{1,3})[\])]?")
_BACK_SIGNS = "↩↑^⏎↵\ufe0e\ufe0f "
_NOTES = ("li", "p", "div", "aside", "dd", "dt", "tr", "span", "a")


def mark_footnotes(body: html.HtmlElement) -> None:
    """Make references `footnote-reference` elements and give each note the attribute `data-footnote`."""
    references = [anchor for anchor in body.iter("a") if _is_reference(anchor)]
    if not references:
        return
    by_id = {element.get("id"): element for element in body.xpath(".//*[@id]")}
    for anchor in references:
        note = _note(by_id.get(anchor.get("href", "")[1:]))
        label = _LABEL.fullmatch("".join(anchor.itertext()).strip())
        if note is None or label is None or anchor in set(note.iter()):
            continue
        label_text = note.get("data-footnote") or label.group(1)
        note.set("data-footnote", label_text)
        _drop_way_back(note)
        tail = anchor.tail
        anchor.clear()
        anchor.tag, anchor.text, anchor.tail = "footnote-reference", label_text, tail


def _is_reference(anchor: html.HtmlElement) -> bool:
    parent = anchor.getparent()
    if (
        parent is None
        or not anchor.get("href", "").startswith("#")
        or not _LABEL.fullmatch("".join(anchor.itertext()).strip())
    ):
        return False
    if (
        parent.tag == "sup"
        or next(anchor.iter("sup"), None) is not None
        or anchor.get("role") == "doc-noteref"
    ):
        return True
    return bool(_REFERENCE_CLASS.search(anchor.get("class", "")))


def _note(target: html.HtmlElement | None) -> html.HtmlElement | None:
    """The block that is the note, from the element whose id the reference names."""
    while target is not None and target.tag in ("a", "span", "sup", "dt", "strong"):
        target = target.getnext() if target.tag == "dt" else target.getparent()
    if (
        target is None
        or target.tag not in _NOTES
        or next(target.iter(*HEADINGS, "table", "dl"), None) is not None
    ):
        return None
    return target


def _drop_way_back(note: html.HtmlElement) -> None:
    for anchor in list(note.iter("a", "span")):
        text = "".join(anchor.itertext()).strip()
        is_back = anchor.get("href", "").startswith("#") and not text.strip(_BACK_SIGNS)
        is_label = anchor.get("class", "") in ("label", "fn-backref", "footnote-number", "mw-cite-backlink")
        if (is_back or is_label) and anchor.getparent() is not None:
            anchor.drop_tree()
