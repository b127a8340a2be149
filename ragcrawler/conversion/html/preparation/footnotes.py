"""Footnotes: the reference and the note it leads to get one label, `[^label]` in the Markdown."""

import re

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.tags import HEADINGS

_REFERENCE_CLASS = re.compile(r"foot-?note|noteref|citation", re.IGNORECASE)
_LABEL = re.compile(r"[\[(]?(\d{1,3}|[a-z]|[*†‡§]{1,3})[\])]?")
_BACK_SIGNS = "↩↑^⏎↵\ufe0e\ufe0f "
_NOTES = ("li", "p", "div", "aside", "dd", "dt", "tr", "span", "a")


def mark_footnotes(body: html.HtmlElement) -> None:
    """Make references `footnote-reference` elements and give each note the attribute `data-footnote`."""
    _unfold_docutils_notes(body)
    references = [anchor for anchor in body.iter("a") if _is_reference(anchor)]
    if not references:
        return
    by_id = {element.get("id"): element for element in with_attribute(body, "id")}
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


def release_orphans(body: html.HtmlElement) -> None:
    """Make references whose note is not on the page (any more) ordinary text, `[2]`."""
    labels = set(body.xpath(".//@data-footnote"))
    for reference in body.iter("footnote-reference"):
        if reference.text not in labels:
            reference.tag, reference.text = "span", f"[{reference.text}]"


def _unfold_docutils_notes(body: html.HtmlElement) -> None:
    """Make notes as docutils wrote them before 0.18, in lists of terms and in tables, `aside` elements."""
    for notes in [each for each in body.iter("dl") if _is_footnote(each)]:
        for label in notes.findall("dt"):
            note = label.getnext()
            if note is not None and note.tag == "dd":
                note.tag = "aside"
                note.attrib.update({"class": "footnote", "id": label.get("id", "")})
                label.drop_tree()
        if notes.find("dt") is None:
            notes.tag = "div"
    for table in [each for each in body.iter("table") if _is_footnote(each) and each.get("id") is not None]:
        cells = table.xpath(".//td[not(contains(@class, 'label'))]")
        if len(cells) == 1:
            note, tail = cells[0], table.tail
            note.tag, note.tail = "aside", tail
            note.attrib.update({"class": "footnote", "id": table.get("id")})
            table.getparent().replace(table, note)


def _is_footnote(element: html.HtmlElement) -> bool:
    return "footnote" in element.get("class", "").split()


def _is_reference(anchor: html.HtmlElement) -> bool:
    if not anchor.get("href", "").startswith("#"):
        return False
    parent = anchor.getparent()
    if parent is None or not _LABEL.fullmatch("".join(anchor.itertext()).strip()):
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
