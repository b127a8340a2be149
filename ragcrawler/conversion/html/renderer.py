"""The kept part of a page to Markdown: a table of constructs by element."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

from lxml import html

from ragcrawler.conversion.html.escape import escape_line_start, escape_text
from ragcrawler.conversion.html.inline import render_inline, stands_apart
from ragcrawler.conversion.html.sentinels import LINE_BREAK, anchor_mark, take_anchors
from ragcrawler.conversion.html.tags import BLOCKS, INVISIBLE
from ragcrawler.conversion.work import Work
from ragcrawler.items import Anchor

# Places in running text; those of headings and terms are not bounded by these.
_MOST_PLACES = 20_000
_PLACES_A_BLOCK = 2
# Ids that name no place of the text: parts of the layout, and what programs number anew with each page.
_NO_PLACE = re.compile(
    r"(?:page|site|main|body|root|app|content|wrapper|container|layout|primary|article|post|entry|__\w+)"
    r"(?:[-_]?(?:page|site|main|body|content|wrapper|container|area|inner|outer|region|text))?"
    r"|(?:yui|ember|react|radix|headlessui|mantine|mui|ext-gen|gwt-uid|ctl|uid|ui-id|js)[-_:]?\w*\d.*"
    r"|:r\w{1,4}:|[0-9a-f]{8}-[0-9a-f]{4}-.*|[0-9a-f]{16,}|\d{6,}",
    re.IGNORECASE | re.ASCII,
)
_BREAKS = re.compile(f" *{LINE_BREAK} *")


@dataclass(slots=True)
class Renderer:
    """The state of one page's rendering.

    Attributes:
        base_url: what relative links are resolved against.
        page_url: the page's own address; where it is the base, fragments stay fragments.
        constructs: how each block element is rendered; the others are looked through.
        work: counts the places of tables.
        anchor_ids: ids of blocks, in the order of their marks.
        cut: kinds of labels of which one was too long.
        pending_ids: ids met since the last text: they lead to the block that follows.
    """

    base_url: str
    page_url: str
    constructs: "Mapping[str, Construct]"
    work: Work
    anchor_ids: list[str] = field(default_factory=list)
    pending_ids: list[str] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)
    _places: int = 0
    _resolved: dict[str, str] = field(default_factory=dict)

    def blocks(self, element: html.HtmlElement) -> list[str]:
        """The Markdown blocks of what is inside an element, each of one line or more."""
        blocks: list[str] = []
        run: list[str] = []
        if element.text:
            run.append(escape_text(element.text))
        self._children(element, blocks, run)
        self._flush(run, blocks)
        return blocks

    def stray_blocks(self, element: html.HtmlElement) -> list[str]:
        """The blocks of an element that stands where it does not belong, with its own markup."""
        blocks: list[str] = []
        self._block(element, blocks)
        return blocks

    def enter(self, element: html.HtmlElement) -> None:
        """Remember the id of an element whose content comes next."""
        name = element.get("id")
        if name:
            self.pending_ids.append(name)

    def note(self, element: html.HtmlElement) -> list[str]:
        """A footnote: its first line behind its label, the other blocks indented below it."""
        blocks = self.blocks(element)
        label = f"[^{element.get('data-footnote')}]: "
        return [label + indented("\n\n".join(blocks), "    ").lstrip()] if blocks else []

    def inline(self, element: html.HtmlElement) -> str:
        """The contents of an element as one line."""
        return " ".join(render_inline(self, element).replace(LINE_BREAK, " ").split())

    def mark(self, element: html.HtmlElement) -> str:
        """Marks for the ids of a heading or term: its own, those inside it, those right before it."""
        ids = [element.get("id", "")]
        ids.extend(
            inner.get("id") or inner.get("name") or ""
            for inner in element.iterdescendants("a", "span", "code")
        )
        ids.extend(reversed(self.pending_ids))
        self.pending_ids.clear()
        return "".join(map(self._mark, dict.fromkeys(filter(None, ids))))

    def place(self) -> str:
        """Marks for the ids right before and in a block that is no heading or term, the nearest two."""
        if not self.pending_ids:
            return ""
        names = [name for name in self.pending_ids if not _NO_PLACE.fullmatch(name)][-_PLACES_A_BLOCK:]
        self.pending_ids.clear()
        self._places += len(names)
        return "".join(map(self._mark, dict.fromkeys(names))) if self._places <= _MOST_PLACES else ""

    def _mark(self, name: str) -> str:
        self.anchor_ids.append(name)
        return anchor_mark(len(self.anchor_ids) - 1)

    def absolute(self, address: str) -> str:
        """A link's target, absolute unless it stays on the page."""
        known = self._resolved.get(address)
        if known is None:
            known = self._resolved[address] = self._resolve(address.strip())
        return known

    def _resolve(self, address: str) -> str:
        if address.startswith("#") and self.base_url == self.page_url:
            return address
        try:
            return urljoin(self.base_url, address)
        except ValueError:
            return address

    def _children(self, element: html.HtmlElement, blocks: list[str], run: list[str]) -> None:
        for child in element:
            tag = child.tag
            if tag in BLOCKS or tag in self.constructs:
                self._flush(run, blocks)
                self._block(child, blocks)
            elif tag not in INVISIBLE:
                self._run_on(child, blocks, run)
            if child.tail:
                run.append(escape_text(child.tail))

    def _block(self, child: html.HtmlElement, blocks: list[str]) -> None:
        construct = self.constructs.get(child.tag)
        if construct is not None:
            blocks.extend(construct(self, child))
            return
        self.enter(child)
        blocks.extend(self.blocks(child))

    def _run_on(self, child: html.HtmlElement, blocks: list[str], run: list[str]) -> None:
        """An inline element: part of the line, unless it holds blocks."""
        if len(child) and any(inner.tag in BLOCKS for inner in child.iterdescendants()):
            self._flush(run, blocks)
            self._block(child, blocks)
            return
        self._enter_inline(child)
        if run and stands_apart(child):
            run.append(" ")
        run.append(render_inline(self, child, whole=True))

    def _enter_inline(self, element: html.HtmlElement) -> None:
        """Remember the ids in a line: `<a name="x">` leads to its block."""
        self.enter(element)
        if element.tag == "a" and element.get("name"):
            self.pending_ids.append(element.get("name"))
        for anchor in element.iterdescendants("a") if len(element) else ():
            if name := anchor.get("id") or anchor.get("name"):
                self.pending_ids.append(name)

    def _flush(self, run: list[str], blocks: list[str]) -> None:
        """End the current line: it becomes a paragraph."""
        if not run:
            return
        text = " ".join("".join(run).split())
        run.clear()
        text = _BREAKS.sub(LINE_BREAK, text).strip(LINE_BREAK)
        if text:
            first, *others = [escape_line_start(line) for line in text.split(LINE_BREAK) if line]
            blocks.append("\\\n".join([first + self.place(), *others]))


def indented(text: str, margin: str) -> str:
    """Every line that is not empty behind a margin."""
    return "\n".join(margin + line if line else line for line in text.split("\n"))


def quoted(blocks: list[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks).split("\n"))


Construct = Callable[[Renderer, html.HtmlElement], list[str]]


def finish(markdown: str, renderer: Renderer) -> tuple[str, tuple[Anchor, ...]]:
    """Take the marks out of a page's Markdown and say on which lines they stood."""
    markdown, marks = take_anchors(markdown.strip("\n") + "\n")
    places = {index: line for line, index in reversed(marks)}  # of a cell that is repeated, the first
    return markdown, tuple(
        Anchor(places[index], renderer.anchor_ids[index])
        for index in dict.fromkeys(index for _, index in marks)
    )
