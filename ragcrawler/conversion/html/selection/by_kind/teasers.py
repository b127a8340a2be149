"""Parts of a page that lead to other pages: known by their headings."""

import re

from lxml import html

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS

_THINGS = (
    r"(?:articles?|posts?|stor(?:y|ies)|content|reading|topics?|news|blogs?|items?|products?|resources"
    r"|pages?|videos?"
    r"|threads?|discussions?|guides?|insights|recipes|podcasts?|episodes?|questions)"
)
_PHRASES = re.compile(
    rf"(?:related|recommended|similar|suggested|popular|trending|recent|latest|other|more|our latest)"
    rf"(?: \w+)? {_THINGS}(?: .{{0,40}})?"
    r"|you (?:may|might|ll|will) (?:also |probably )?(?:like|love|enjoy|need|be interested in)"
    r"|you may also .{0,20}"
    r"|(?:customers|people|shoppers|others|users|visitors) (?:who .{0,30}|also .{0,30}|viewed.{0,20})"
    r"|related|recommended(?: for you)?|more (?:from|on|in|like this|for you).{0,40}|(?:read|up"
    r"|what to read) (?:next|more|also)"
    r"|keep reading|continue reading|most (?:read|popular|viewed|recent)|trending(?: now)?"
    r"|recently viewed.{0,20}"
    r"|(?:from|on) (?:the|our) blog|popular now|latest (?:from|in) .{0,30}|don t miss.{0,20}"
    r"|in case you missed it"
    r"|goes well with|complete the look|pairs well with|frequently bought together"
    r"|compare (?:with )?similar items"
    r"|(?:leave|post|add|write) a (?:reply|comment)|(?:\d+ )?(?:comments?|responses|replies"
    r"|thoughts on .{0,80})"
    r"|share (?:this|on|the).{0,30}|follow us.{0,20}|(?:sign up|subscribe) (?:for|to) .{0,60}"
    r"|(?:our )?newsletter"
    r"|join (?:the conversation|our newsletter.{0,20}|our mailing list)|similar threads|(?:about"
    r"|meet) the author|written by"
    r"|ähnliche (?:artikel|beiträge|produkte|themen)|das könnte (?:sie|dich|ihnen"
    r"|dir) auch (?:interessieren|gefallen)"
    r"|articles? (?:similaires|connexes|liés)|vous aimerez aussi.{0,20}|artículos relacionados"
    r"|también te puede .{0,20}",
    re.IGNORECASE,
)
_MOST_WORDS = 10
_MAX_PAGE_SHARE = 0.4


def mark_teasers(blocks: list[Block], clean: list[bool]) -> list[bool]:
    """Which blocks stand below a heading that announces other pages, the heading with them.

    A part ends where the element does that begins with the heading, or before the next heading of its level.
    A part with code in it is a chapter.
    """
    teasers = [False] * len(blocks)
    total = sum(len(block.words) for block, is_clean in zip(blocks, clean, strict=True) if is_clean)
    for index, block in enumerate(blocks):
        if teasers[index] or not clean[index] or not _announces(block):
            continue
        end = _end_of(blocks, index)
        words = sum(len(each.words) for each in blocks[index:end])
        if words <= _MAX_PAGE_SHARE * total and not any(
            each.element.tag == "pre" for each in blocks[index:end]
        ):
            teasers[index:end] = [True] * (end - index)
    return teasers


def _announces(block: Block) -> bool:
    if not 0 < len(block.words) <= _MOST_WORDS or block.element.tag not in HEADINGS:
        return False
    return bool(_PHRASES.fullmatch(" ".join(block.words)))


def _end_of(blocks: list[Block], index: int) -> int:
    """The first block behind the part that a heading begins."""
    heading = blocks[index]
    before = set(blocks[index - 1].path) if index else set()
    container: html.HtmlElement = heading.element
    for element in heading.path[1:]:
        if element in before or element.tag == "body":
            break
        container = element
    level = heading.element.tag
    parent = container.getparent()
    end = index + 1
    while end < len(blocks):
        path = blocks[end].path
        if container is not heading.element:
            if container not in path:
                break
        elif parent not in path or (blocks[end].element.tag in HEADINGS and blocks[end].element.tag <= level):
            break
        end += 1
    return end
