"""Marks are put into the parts of an Office file before docling reads it."""

from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from ragcrawler.conversion.archives.archive import read_member
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.escaping import escape_inline
from ragcrawler.conversion.office.marks import GLUE, Marked, leads_away

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_NOTE_PARTS = {
    f"{_WORD}footnoteReference": ("word/footnotes.xml", f"{_WORD}footnote"),
    f"{_WORD}endnoteReference": ("word/endnotes.xml", f"{_WORD}endnote"),
}
_BREAKS = {f"{_WORD}br", f"{_WORD}tab", f"{_WORD}cr", f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"}

Rewrite = Callable[[ZipFile, str, Marked], dict[str, bytes]]


def rewritten(body: bytes, archive: ZipFile, rewrite: Rewrite, url: str) -> tuple[bytes, Marked]:
    """The file with marks in its texts, and what they stand for."""
    marked = Marked()
    changed = rewrite(archive, url, marked)
    if not changed:
        return body, marked
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as copy:
        for name in dict.fromkeys(archive.namelist()):
            copy.writestr(name, changed[name] if name in changed else read_member(archive, name, url))
    return buffer.getvalue(), marked


def rewrite_docx(archive: ZipFile, url: str, marked: Marked) -> dict[str, bytes]:
    """Mark where notes are referred to, and where runs meet within a word."""
    name = "word/document.xml"
    root = tree_of(archive, name, url)
    notes = {tag: _notes(archive, *place, url) for tag, place in _NOTE_PARTS.items()}
    for tag, texts in notes.items():
        for reference in list(root.iter(tag)):
            text = texts.get(reference.get(f"{_WORD}id", ""), "")
            reference.tag = f"{_WORD}t"
            reference.text = marked.note(text) if text else ""
    for paragraph in root.iter(f"{_WORD}p"):
        runs = (run for run in paragraph.iter(f"{_WORD}r") if run.getparent().tag != f"{_WORD}del")
        _glue([list(_texts(run, f"{_WORD}t")) for run in runs])
    return {name: tree_bytes(root)}


def rewrite_pptx(archive: ZipFile, url: str, marked: Marked) -> dict[str, bytes]:
    """Mark links, and where runs meet within a word."""
    names = [name for name in archive.namelist() if name.startswith("ppt/slides/slide")]
    changed = {}
    for name in names:
        root = tree_of(archive, name, url)
        targets = _link_targets(archive, name, url)
        for paragraph in root.iter(f"{_DRAWING}p"):
            runs = list(paragraph.iter(f"{_DRAWING}r"))
            _glue([list(_texts(run, f"{_DRAWING}t")) for run in runs])
            for run in runs:
                _mark_link(run, targets, marked)
        changed[name] = tree_bytes(root)
    return changed


def _link_targets(archive: ZipFile, name: str, url: str) -> dict[str, str]:
    """Addresses of the web that a slide leads to, by the ids of their relations."""
    relations = name.replace("ppt/slides/", "ppt/slides/_rels/") + ".rels"
    if relations not in archive.namelist():
        return {}
    found = ((each.get("Id", ""), each.get("Target", "")) for each in tree_of(archive, relations, url))
    return {key: target for key, target in found if leads_away(target)}


def _mark_link(run: Any, targets: Mapping[str, str], marked: Marked) -> None:
    click = run.find(f"{_DRAWING}rPr/{_DRAWING}hlinkClick")
    text = run.find(f"{_DRAWING}t")
    target = targets.get(click.get(_RELATION, "")) if click is not None else None
    if target and text is not None and text.text:
        glue = GLUE if text.text.startswith(GLUE) else ""
        text.text = glue + marked.link(text.text.removeprefix(GLUE), target)


def rewrite_opendocument(archive: ZipFile, url: str, marked: Marked) -> dict[str, bytes]:
    """Mark where notes are, and where spans meet within a word."""
    name = "content.xml"
    root = tree_of(archive, name, url)
    for note in list(root.iter(f"{_TEXT}note")):
        body = note.find(f"{_TEXT}note-body")
        text = "\n\n".join(filter(None, map(_plain, body))) if body is not None else ""
        tail = note.tail
        note.clear()
        note.tag, note.tail = f"{_TEXT}span", tail
        note.text = marked.note(escape_inline(text)) if text else ""
    for paragraph in root.iter(f"{_TEXT}p", f"{_TEXT}h"):
        _glue_spans(paragraph)
    return {name: tree_bytes(root)}


def _glue(runs: list[list[Any]]) -> None:
    """Mark each run whose first letter follows the last one of the run before."""
    before = " "
    for texts in runs:
        if not texts:
            before = " "
            continue
        for element in texts[:1]:
            text = element.text or ""
            if text and not before[-1:].isspace() and not text[0].isspace():
                element.text = GLUE + text
        before = texts[-1].text or " "


def _glue_spans(paragraph: Any) -> None:
    """The same where a span or link begins or ends."""
    for span in paragraph.iter(f"{_TEXT}span", f"{_TEXT}a"):
        before = span.getprevious()
        text = (before.tail if before is not None else span.getparent().text) or ""
        if before is not None and not text and before.tag in (f"{_TEXT}span", f"{_TEXT}a"):
            text = "".join(before.itertext())
        if text and not text[-1].isspace() and span.text and not span.text[0].isspace():
            span.text = GLUE + span.text
        inner = "".join(span.itertext())
        if span.tail and not span.tail[0].isspace() and inner and not inner[-1].isspace():
            span.tail = GLUE + span.tail


def _texts(run: Any, tag: str) -> Iterator[Any]:
    """The texts of a run; none where a break or tab would stand between it and others."""
    if not any(child.tag in _BREAKS for child in run):
        yield from run.iter(tag)


def _notes(archive: ZipFile, name: str, tag: str, url: str) -> dict[str, str]:
    """Markdown of the notes by their ids."""
    if name not in archive.namelist():
        return {}
    notes = {}
    for note in tree_of(archive, name, url).iter(tag):
        paragraphs = (_plain(paragraph) for paragraph in note.iter(f"{_WORD}p"))
        notes[note.get(f"{_WORD}id", "")] = "\n\n".join(escape_inline(text) for text in paragraphs if text)
    return notes


def _plain(element: Any) -> str:
    """The text of a paragraph."""
    pieces: list[str] = []
    for inner in element.iter():
        if inner.tag in _BREAKS:
            pieces.append(" ")
        elif isinstance(inner.tag, str) and (inner.tag == f"{_WORD}t" or not inner.tag.startswith(_WORD)):
            pieces.append(inner.text or "")
        if inner is not element and not str(inner.tag).startswith(_WORD):
            pieces.append(inner.tail or "")
    return " ".join("".join(pieces).split())


def tree_of(archive: ZipFile, name: str, url: str) -> Any:
    """The root element of a part.

    Raises:
        ConversionError: `damaged`.
    """
    from lxml import etree

    # Depth and entities were checked when the archive was opened.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(read_member(archive, name, url), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ConversionError("damaged", f"{name} is not XML: {error}", url=url) from error


def tree_bytes(root: Any) -> bytes:
    """A part as it is written into the archive."""
    from lxml import etree

    text: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return text
