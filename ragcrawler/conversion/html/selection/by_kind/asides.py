"""Lines in and around an article that are none of its text."""

import re

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS

_STRUCTURE = frozenset((*HEADINGS, "pre", "table", "td", "th", "dt", "dd"))
# With a colon or a link behind them.
_POINTERS = re.compile(
    r"(?:also read|read also|read more|read next|read this|related(?: (?:article|articles|post|posts|story"
    r"|stories|reading|content|guide))?|recommended(?: reading)?|more on this"
    r"|you (?:may|might) also (?:like|enjoy|be interested in)"
    r"|don t miss|must read|up next|watch(?: also)?|lies? auch|lesen sie auch|mehr zum thema"
    r"|à lire aussi|lire aussi|leer también|lee también|te puede interesar|leggi anche|lees ook)\b",
    re.IGNORECASE,
)
_MAX_POINTER_WORDS = 30
_LINKED = 0.5
_LINES = re.compile(
    r"(?:rate|share|print|save|like|bookmark|e ?mail|listen to|cite) this(?: \w+)?"
    r"|(?:reading time |read time )?\d{1,3} ?(?:min|mins|minute|minutes)(?: read)?|reading time.{0,20}"
    r"|(?:this (?:article|post|page|entry) was )?(?:first |originally |last |most recently )"
    r"(?:updated|posted|modified|reviewed|published|edited).{0,60}"
    r"|(?:post |page |total )?views? \d+|\d+ (?:shares?|views?|likes?|claps?|reads?)"
    r"|advertisements?(?: continue reading below)?|sponsored(?: content)?"
    r"|story continues below(?: .{0,20})?"
    r"|(?:thank you|thanks) for (?:completing|subscribing|signing up|your (?:feedback|vote|rating)).{0,40}"
    r"|follow (?:us|me|him|her|them)(?: on| at)? .{0,80}"
    r"|(?:subscribe to|sign up for) .{0,60}newsletter.{0,20}"
    r"|was this (?:article|page|post|information) helpful.{0,20}|copy link|copied|share on \w+|tags?",
    re.IGNORECASE,
)
_MOST_WORDS = 14
_CRUMBS = re.compile(
    r"\s*(?:you are here:?\s*)?(?:home|start|startseite|accueil|inicio|news|blog)\s*[»›>/|→]", re.I
)
_MAX_CRUMB_WORDS = 30


def mark_asides(blocks: list[Block]) -> list[bool]:
    """Which blocks lead to other articles, say where the page stands, or serve a browser."""
    return [block.element.tag not in _STRUCTURE and _is_aside(block) for block in blocks]


def _is_aside(block: Block) -> bool:
    words = len(block.words)
    if not words:
        return False
    text = " ".join(block.words)
    if words <= _MOST_WORDS and _LINES.fullmatch(text):
        return True
    if words <= _MAX_POINTER_WORDS and (lead := _POINTERS.match(text)):
        rest = words - len(lead[0].split())
        return 0 < block.link_words >= _LINKED * rest
    return words <= _MAX_CRUMB_WORDS and bool(_CRUMBS.match(block.element.text_content()[:80]))
