"""Posts of a thread: what was written stays, the panels beside it go."""

import re
from collections import Counter

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS

_PANELS = re.compile(
    r"(?:message|post|topic|member|comment)?[-_]{0,2}user[-_]{0,2}"
    r"(?:extra|info|detail|stat|title|banner|panel|arrow|data|profile|bar|meta)s?"
    r"|(?:post|member|author|poster)[-_]?(?:profile|pane|panel|left|info|details?|stats)|cauthorpane\w{0,20}"
    r"|poster(?:_info)?|messageuserinfo|extrauserinfo|subtle-author|ipscomment_meta\w{0,20}",
    re.IGNORECASE,
)
_CONTROLS = re.compile(
    r"(?:message-?|post-?|user-?)?signature|sig(?:-?(?:content|line|block))?"
    r"|(?:message|post)[-_]?(?:attribution-?opposite\w{0,10}|actionbar|footer|controls|buttons|likes|reactions)"
    r"|reactions?bar|bbcodeblock-(?:expand|shrink)link|postfoot\w{0,10}|posthead-?icons?|quick-?reply\w{0,10}"
    r"|likes?summary|publiccontrols|privatecontrols|ipscomment_controls|ipsitemcontrols\w{0,20}",
    re.IGNORECASE,
)
_LABEL_WORDS = 6
_REPEATED_LABELS = 3
_BLOCKS_PER_LABEL = 8
_DIGITS = re.compile(r"\d+")


def mark_panels(blocks: list[Block]) -> list[bool]:
    """Which blocks are about the authors of posts, are signatures or controls, or repeat in every post.

    A panel's first block stays, if it is a heading or a link: the author's name.
    """
    labels = Counter(_label(block) for block in blocks if len(block.words) <= _LABEL_WORDS)
    written = sum(1 for block in blocks if len(block.words) > _LABEL_WORDS)
    often = max(_REPEATED_LABELS, written // _BLOCKS_PER_LABEL)
    panels, controls = _Named(_PANELS), _Named(_CONTROLS)
    introduced: set[html.HtmlElement] = set()
    verdicts = []
    for block in blocks:
        panel = panels.around(block)
        is_panel = panel is not None and (panel in introduced or not _is_name(block))
        if panel is not None:
            introduced.add(panel)
        is_label = panel is None and labels[_label(block)] >= often and _may_be_label(block)
        verdicts.append(is_panel or is_label or controls.around(block) is not None)
    return verdicts


class _Named:
    """Finds the outermost element around a block with a class of some pattern."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._known: dict[html.HtmlElement, html.HtmlElement | None] = {}

    def around(self, block: Block) -> html.HtmlElement | None:
        passed = []
        found = None
        for element in block.path:
            if element in self._known:
                found = self._known[element]
                break
            passed.append(element)
        for element in reversed(passed):
            if found is None and any(map(self._pattern.fullmatch, element.get("class", "").split())):
                found = element
            self._known[element] = found
        return found


def _is_name(block: Block) -> bool:
    return block.element.tag in HEADINGS or block.link_words == len(block.words)


def _may_be_label(block: Block) -> bool:
    is_dated = next(block.element.iter("time"), None) is not None
    return len(block.words) <= _LABEL_WORDS and block.element.tag not in ("pre", "table") and not is_dated


def _label(block: Block) -> str:
    return _DIGITS.sub("0", " ".join(block.words))
