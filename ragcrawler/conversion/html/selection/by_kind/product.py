"""What a page declares of its product in JSON-LD, for pages that do not show it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree, html

from ragcrawler.conversion.html.selection.blocks import Block

_MOST_CHARACTERS = 200_000
_MOST_NODES = 500
_MOST_DESCRIPTION_CHARACTERS = 20_000
_SAID_SHARE = 0.8
_WORD = re.compile(r"\w+")
# JSON escapes what no tree may hold, and the characters that serve as marks (see `sentinels`).
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_TYPES = frozenset(("Product", "ProductGroup"))


@dataclass(frozen=True, slots=True)
class Product:
    """A product as its page declares it; "" where it says nothing.

    Attributes:
        name: of the product.
        description: plain text.
        price: a number.
        currency: ISO 4217.
        availability: "InStock", say.
    """

    name: str
    description: str
    price: str
    currency: str
    availability: str

    @property
    def offer(self) -> str:
        """Price, currency and availability in one line."""
        return " ".join(filter(None, (self.price, self.currency, self.availability)))


def declared_product(root: html.HtmlElement) -> Product | None:
    """The product of a page; None where it declares none, or several."""
    found = [node for node in _nodes(root) if _types_of(node) & _TYPES]
    if len(found) != 1:
        return None
    product = found[0]
    offer = next(_mappings(product.get("offers")), {})
    description = _text(product.get("description"))
    if "<" in description:
        description = _without_markup(description)
    return Product(
        name=_text(product.get("name")),
        description=" ".join(description.split()),
        price=_text(offer.get("price") or offer.get("lowPrice")),
        currency=_text(offer.get("priceCurrency")),
        availability=_text(offer.get("availability")).rpartition("/")[2],
    )


def _nodes(root: html.HtmlElement) -> Iterator[Mapping[str, Any]]:
    """The outermost nodes of JSON-LD and those of `@graph`, at most 500; what is no JSON has none."""
    count = 0
    for script in root.iter("script"):
        if script.get("type") != "application/ld+json":
            continue
        try:
            values = json.loads((script.text or "")[:_MOST_CHARACTERS])
        except (ValueError, RecursionError):
            continue
        for node in _mappings(values):
            for each in (node, *_mappings(node.get("@graph")), *_mappings(node.get("mainEntity"))):
                count += 1
                if count > _MOST_NODES:
                    return
                yield each


def _mappings(value: object) -> Iterator[Mapping[str, Any]]:
    for each in value[:_MOST_NODES] if isinstance(value, list) else (value,):
        if isinstance(each, dict):
            yield each


def _types_of(node: Mapping[str, Any]) -> set[str]:
    types = node.get("@type")
    return {each for each in (types if isinstance(types, list) else [types]) if isinstance(each, str)}


def _without_markup(text: str) -> str:
    try:
        tree = html.fragment_fromstring(text, create_parent="div")
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return ""
    etree.strip_elements(tree, etree.Comment, etree.PI, "script", "style", with_tail=False)
    return _text(" ".join(tree.itertext()))


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(_ILLEGAL.sub(" ", str(value)[:_MOST_DESCRIPTION_CHARACTERS]).split())


def add_product(body: html.HtmlElement, product: Product, kept: Iterable[Block]) -> None:
    """Put what the kept text does not say before it, as a heading and paragraphs.

    Args:
        body: the pruned page, changed in place.
        product: what the page declares.
        kept: the blocks that are left.
    """
    shown = {word for block in kept for word in block.words}
    has_title = next(body.iter("h1"), None) is not None
    missing = [("h1", product.name)] if product.name and not has_title else []
    if not _says(shown, product.description) and product.description != product.name:
        missing.append(("p", product.description))
    # A page writes 60.00 as "60", "60,00" or "$60".
    if product.price and not _says(shown, product.price.partition(".")[0]):
        missing.append(("p", product.offer))
    for index, (tag, text) in enumerate(missing):
        element = html.Element(tag)
        element.text = text
        body.insert(index, element)


def _says(shown: set[str], text: str) -> bool:
    """Whether the words of a text are shown, but for a fifth of them."""
    words = set(_WORD.findall(text.lower()))
    return len(words & shown) >= _SAID_SHARE * len(words)
