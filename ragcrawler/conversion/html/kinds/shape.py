"""What a page looks like: how long its paragraphs are, what repeats in it, how much is linked or priced."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from lxml import html

from ragcrawler.conversion.html.selection.block_scores import Words
from ragcrawler.conversion.html.selection.blocks import Block
from ragcrawler.conversion.html.selection.by_kind.grids import Group, largest_group
from ragcrawler.conversion.html.tags import HEADINGS

_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[€£]|zł|EUR\b|USD\b)")
_POST_NAMES = re.compile(
    r"(?:^|[\s_-])(?:post|message|comment|reply|answer|topic)s?(?:[\s_-]|$)", re.IGNORECASE
)
_CARD_NAMES = re.compile(
    r"(?:^|[\s_-])(?:product|card|item|tile|result|listing|teaser|grid)s?(?:[\s_-]|$)", re.IGNORECASE
)
_CART = (
    " add to cart ",
    " add to bag ",
    " add to basket ",
    " in den warenkorb ",
    " ajouter au panier ",
    " buy now ",
)
_REPLY = (" joined ", " reply ", " replies ", " posted ", " click to expand ", " likes received ")
_MOST_CHARACTERS = 100_000
_MOST_MEMBERS = 20
_LONG_PARAGRAPH = 25
_SHORT_BLOCK = 8
_PRICED = ("span", "div", "p", "b", "strong", "ins", "td", "bdi", "li", "a", "dd")
_COUNTED = ("time", "article", "img", "pre", "code", "input", "select", "textarea")


def shape_features(body: html.HtmlElement, blocks: Sequence[Block], words: Words) -> dict[str, float]:
    """Features by name: shares from 0 to 1, and logarithms of counts."""
    total = max(1, words.all.get(body, 0))
    group = largest_group(words.all)
    return {
        "words": math.log1p(total),
        "blocks": math.log1p(len(blocks)),
        "linked": words.linked.get(body, 0) / total,
        "voted": words.voted.get(body, 0) / total,
        **{name: count / total for name, count in _words_by_shape(blocks).items()},
        "group": group.words / total,
        "group members": math.log1p(len(group.members)),
        "group size": math.log1p(group.words / max(1, len(group.members))),
        **_group_features(group, words),
        **_text_features(body, blocks),
    }


def _words_by_shape(blocks: Sequence[Block]) -> dict[str, int]:
    counts = dict.fromkeys(("long", "short", "headings", "code", "tables"), 0)
    for block in blocks:
        words = len(block.words)
        if block.element.tag == "pre":
            counts["code"] += words
        elif block.element.tag == "table":
            counts["tables"] += words
        elif block.element.tag in HEADINGS:
            counts["headings"] += words
        elif words >= _LONG_PARAGRAPH:
            counts["long"] += words - block.link_words
        elif words < _SHORT_BLOCK:
            counts["short"] += words
    return counts


def _group_features(group: Group, words: Words) -> dict[str, float]:
    if not group.members:
        return dict.fromkeys(
            ("group linked", "group voted", "group posts", "group cards", "group priced"), 0.0
        )
    names = f"{group.members[0].get('class', '')} {group.members[0].get('id', '')}"
    shown = group.members[:_MOST_MEMBERS]
    return {
        "group linked": sum(words.linked.get(member, 0) for member in group.members) / group.words,
        "group voted": sum(words.voted.get(member, 0) for member in group.members) / group.words,
        "group posts": float(bool(_POST_NAMES.search(names))),
        "group cards": float(bool(_CARD_NAMES.search(names))),
        "group priced": sum(bool(_PRICE.search(each.text_content())) for each in shown) / len(shown),
    }


def _text_features(body: html.HtmlElement, blocks: Sequence[Block]) -> dict[str, float]:
    text = f" {' '.join(chain.from_iterable(block.words for block in blocks))} "[:_MOST_CHARACTERS]
    counts = Counter(element.tag for element in body.iter(*_COUNTED))
    shown = "\n".join(body.itertext(*_PRICED, with_tail=False))
    return {
        "prices": math.log1p(len(_PRICE.findall(shown[:_MOST_CHARACTERS]))),
        "cart": float(any(phrase in text for phrase in _CART)),
        "reply": float(any(phrase in text for phrase in _REPLY)),
        "times": math.log1p(counts["time"]),
        "articles": math.log1p(counts["article"]),
        "pictures": math.log1p(counts["img"]),
        "code blocks": math.log1p(counts["pre"]),
        "inline code": math.log1p(counts["code"]),
        "forms": math.log1p(counts["input"] + counts["select"] + counts["textarea"]),
    }
