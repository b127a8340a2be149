"""Calls to action, and what narrows or sorts a list: of use in a browser alone."""

import re

from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.tags import HEADINGS

_CALLS = re.compile(
    r"(?:learn|read|see|view|show|load|find out|discover|explore)(?: (?:more|all|less|details|product"
    r"|products|now|options|it))+"
    r"(?: .{0,30})?|details|shop(?: (?:now|all|the .{0,20}|it))?|buy(?: (?:now|it|online))?"
    r"|add to (?:cart|bag|basket|wish ?list"
    r"|favou?rites|compare|list)|(?:quick|fast) (?:view|shop|buy|add|look)|choose options|select options"
    r"|pre order|order now"
    r"|(?:get|try|start|join|sign up|book|request|schedule|contact|download|apply|register|subscribe"
    r"|log in|login|sign in|watch)"
    r"(?: (?:started|it|now|today|for|free|a|an|your|our|the|demo|trial|quote|consultation|sales|us|call"
    r"|app|up|in|here|video))*"
    r"|talk to .{0,30}|compare|wish ?list|notify me.{0,30}|out of stock|sold out|regular price"
    r"|sale price|unit price(?: per)?"
    r"|previous|next|back|close|skip|menu|filters?(?: (?:and|by|sort).{0,20})?|sort by.{0,30}|sort"
    r"|clear all.{0,20}|reset|apply|done"
    r"|refine(?: by)?|items? per page|view as|expand all|collapse all|loading|page \d+ of \d+|share"
    r"|print|save|follow",
    re.IGNORECASE,
)
_MOST_WORDS = 8
FILTER_NAMES = re.compile(
    r"(?<![^\s_-])(?:filters?|facets?|refinements?|sort(?:ing|by|er)?|filtering|plp-?filters?)(?![^\s_-])",
    re.IGNORECASE,
)
_MAX_FILTER_SHARE = 0.4


def is_call(block: Block) -> bool:
    """Whether a block is nothing but a call to action."""
    if not 0 < len(block.words) <= _MOST_WORDS or block.element.tag in (
        *HEADINGS,
        "pre",
        "table",
        "td",
        "th",
        "dt",
    ):
        return False
    return bool(_CALLS.fullmatch(" ".join(block.words)))
