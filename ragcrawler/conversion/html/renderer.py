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
from ragcrawler.items import Anchor

_BREAKS = re.compile(f" *{LINE_BREAK} *")


@dataclass(slots=True)
class Renderer:
    """The state of one page's rendering.

    Attributes:
        base_url: what relative links are resolved against.
        page_url: the page's own address; where it is the base, fragments stay fragments.
        constructs: how each block element is rendered; the others are looked through.
        anchor_ids: ids of headings and terms, in the order of their marks.
        cut: kinds of labels of which one was too long.
        pending_ids: ids met since the last text, which a heading or term that follows takes over.
    """

    base_url: str
    page_url: str
    constructs: "Mapping[str, Construct]"
    anchor_ids: list[str] = field(default_factory=list)
    pending_ids: list[str] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)
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
        marks = []
        for name in dict.fromkeys(filter(None, ids)):
            marks.append(anchor_mark(len(self.anchor_ids)))
            self.anchor_ids.append(name)
        return "".join(marks)

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
        if not any(map(str.strip, run)):
            name = child.get("id") or (child.get("name") if child.tag == "a" else "")
            if name:
                self.pending_ids.append(name)
        if run and stands_apart(child):
            run.append(" ")
        run.append(render_inline(self, child, whole=True))

    def _flush(self, run: list[str], blocks: list[str]) -> None:
        """End the current line: it becomes a paragraph."""
        if not run:
            return
        text = " ".join("".join(run).split())
        run.clear()
        text = _BREAKS.sub(LINE_BREAK, text).strip(LINE_BREAK)
        if text:
            self.pending_ids.clear()
            blocks.append("\\\n".join(escape_line_start(line) for line in text.split(LINE_BREAK) if line))


def indented(text: str, margin: str) -> str:
    """Every line that is not empty behind a margin."""
    return "\n".join(margin + line if line else line for line in text.split("\n"))


def quoted(blocks: list[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(blocks).split("\n"))


Construct = Callable[[Renderer, html.HtmlElement], list[str]]


def finish(markdown: str, renderer: Renderer) -> tuple[str, tuple[Anchor, ...]]:
    """Take the marks out of a page's Markdown and say on which lines they stood."""
    markdown, marks = take_anchors(markdown.strip("\n") + "\n")
    return markdown, tuple(Anchor(line, renderer.anchor_ids[index]) for line, index in marks)
