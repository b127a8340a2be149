"""Parts that stand twice because of the page's layout: one copy for phones and one for desks, say.

A sentence may stand in a page as often as its author wants. What goes is the copy of a whole part, and only
where the markup tells the copies apart: a style sheet, which is not read, shows a reader one of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from lxml import html

from ragcrawler.conversion.html.attributes import with_attribute
from ragcrawler.conversion.html.selection.block_scores import word_sums
from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.sections import is_section
from ragcrawler.conversion.html.tags import HEADINGS

_SIZES = r"(?:xs|sm|md|lg|xl|xlg|xxl|small|medium|large)"
_LAYOUTS = re.compile(
    r"(?<![a-z])(?:mobile|tablet|desktop|phone|handheld|print(?:able|er)?|cloned?|duplicate)(?![a-z])"
    rf"|(?<![a-z])(?:hidden|hide|visible|show|display|d)-(?:[a-z]+-)*{_SIZES}(?![a-z])"
    rf"|(?<!\S)(?:(?:max-)?{_SIZES}:)?hidden(?!\S)",
    re.IGNORECASE,
)
_CAMEL_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COPIED_SHARE = 0.9
_TELLING_WORDS = 8
_HALF_SHARE = 0.4
_PAIR = 2


def drop_duplicates(body: html.HtmlElement, blocks: list[Block], keep: list[bool], *, has_posts: bool) -> int:
    """Drop the copies of parts, and say how many words went.

    1. A part that its class names as one for some layout ("d-md-none", "print-version"), if the words of it
       stand outside of all parts of that class: what has one class is shown or hidden together.
    2. The second of two parts with the same text that make up the page, if their markup differs and no
       heading stands between them.
    3. In a thread, the quotation of a post that stands on the page.

    Args:
        body: the page.
        blocks: of the page.
        keep: the verdicts, changed in place.
        has_posts: the page is a thread.
    """
    page = _Page(blocks, keep)
    groups = list(_named_for_layouts(body).values())
    if has_posts:
        groups.append(list(body.iter("blockquote")))
    page.drop_copies(groups)
    page.drop_second_half(body)
    return page.dropped_words


def _named_for_layouts(body: html.HtmlElement) -> dict[str, list[html.HtmlElement]]:
    """Elements by the class or id that names a layout; later ones first, so that the first copy stays."""
    groups: dict[str, list[html.HtmlElement]] = {}
    for name in ("class", "id"):
        for element in with_attribute(body, name):
            if name == "class" or not is_section(element):
                groups.setdefault(element.get(name, ""), []).append(element)
    return {name: groups[name] for name in reversed(groups) if _LAYOUTS.search(_CAMEL_HUMP.sub("-", name))}


class _Page:
    """The kept blocks of a page, of which copies go."""

    def __init__(self, blocks: list[Block], keep: list[bool]) -> None:
        self.dropped_words = 0
        self._blocks = blocks
        self._keep = keep
        self._texts = [" ".join(block.words) for block in blocks]

    def drop_copies(self, groups: list[list[html.HtmlElement]]) -> None:
        """Of each part drop what also stands outside of its group, if that is nearly all of the part."""
        within = self._within({part for parts in groups for part in parts})
        standing = Counter(text for text, kept in zip(self._texts, self._keep, strict=True) if kept)
        for parts in groups:
            contents = [[i for i in within[part] if self._keep[i]] for part in parts if part in within]
            own = Counter(self._texts[i] for i in {i for content in contents for i in content})
            outside = {text for text, times in own.items() if standing[text] > times}
            for content in contents:
                copies = [i for i in content if self._texts[i] in outside and self._keep[i]]
                if self._words(copies) >= max(_TELLING_WORDS, _COPIED_SHARE * self._words(content)):
                    self._drop(copies)
                    standing.subtract(self._texts[i] for i in copies)

    def drop_second_half(self, body: html.HtmlElement) -> None:
        """Where the page has its content twice, drop the second."""
        for one, other in self._halves(body):
            first, second = self._content(one), self._content(other)
            between = self._blocks[first[-1] + 1 : second[0]]
            if (
                [self._texts[i] for i in first] == [self._texts[i] for i in second]
                and _markup(one) != _markup(other)
                and not any(block.element.tag in HEADINGS for block in between)
            ):
                self._drop(second)
                return

    def _halves(self, body: html.HtmlElement) -> Iterator[tuple[html.HtmlElement, html.HtmlElement]]:
        """Pairs of elements that hold as many words, nearly half of all each; the longest first."""
        words = word_sums(self._blocks, self._keep)
        large: dict[int, list[html.HtmlElement]] = {}
        for element, count in words.items():
            if count >= max(_TELLING_WORDS, _HALF_SHARE * words[body]) and words[body] >= 2 * count:
                large.setdefault(count, []).append(element)
        for count in sorted(large, reverse=True):
            outermost = [element for element in large[count] if element.getparent() not in large[count]]
            if len(outermost) == _PAIR:
                one, other = sorted(outermost, key=lambda element: self._content(element)[0])
                yield one, other

    def _within(self, parts: set[html.HtmlElement]) -> dict[html.HtmlElement, list[int]]:
        """The blocks inside of parts, by number."""
        within: dict[html.HtmlElement, list[int]] = {}
        for index, block in enumerate(self._blocks if parts else ()):
            for element in block.path:
                if element in parts:
                    within.setdefault(element, []).append(index)
        return within

    def _content(self, element: html.HtmlElement) -> list[int]:
        return [i for i in self._within({element})[element] if self._keep[i]]

    def _words(self, indexes: Iterable[int]) -> int:
        return sum(len(self._blocks[index].words) for index in indexes)

    def _drop(self, indexes: Iterable[int]) -> None:
        for index in indexes:
            self._keep[index] = False
            self.dropped_words += len(self._blocks[index].words)


def _markup(element: html.HtmlElement) -> list[tuple[str, str]]:
    return [(inner.tag, inner.get("class", "")) for inner in element.iter()]
