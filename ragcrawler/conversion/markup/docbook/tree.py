"""DocBook as a tree: nothing of other files is read, and entities grow to no more than a bound."""

import re
from collections import Counter
from html.entities import html5
from typing import Any

from lxml import etree

from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits

_MAX_ENTITY_CHARACTERS = 1_000_000
_MARKUP = re.compile(r"<[^<>]*>")
_REFERENCE = re.compile(r"&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][\w.-]*);")
_LAST_CHARACTER = 0x10FFFF


def read_tree(text: str, url: str, limits: ConversionLimits, lost: Counter[str]) -> Any:
    """The root element; tags have no namespace, entities are text.

    Args:
        text: the document.
        url: its address.
        limits: the nesting counts.
        lost: counts what other files hold, by a phrase.

    Raises:
        ConversionError: `damaged` where it is no XML, `too_deep`, `too_large`.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    text = _without_declaration(text)
    if "<!DOCTYPE" not in text:
        text = _ENTITY.sub(_shown_name, text)  # else the parser would drop them without a word
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    if root is None:
        raise ConversionError("damaged", "the document is no XML", url=url)
    if root.getroottree().xpath(f"boolean({'/*' * (limits.max_nesting_levels + 1)})"):
        message = f"elements nested deeper than max_nesting_levels = {limits.max_nesting_levels}"
        raise ConversionError("too_deep", message, url=url)
    limits.work_of(url).elements(sum(1 for _ in root.iter()))
    _resolve_entities(root, lost)
    for element in root.iter(etree.Element):
        try:
            element.tag = etree.QName(element).localname
        except ValueError as error:  # the parser mends more than it can say again
            raise ConversionError("damaged", f"the document is no XML: {error}", url=url) from error
        lost["parts of other files"] += element.tag == "include"
    return root


def _without_declaration(text: str) -> str:
    """The text is decoded already; what it says of its encoding would be wrong."""
    return re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)


def _shown_name(found: re.Match[str]) -> str:
    return html5.get(f"{found[1]};") or f"&amp;{found[1]};"


def _resolve_entities(root: Any, lost: Counter[str]) -> None:
    """Put the texts of entities in their places; those of other files are counted."""
    dtd = root.getroottree().docinfo.internalDTD
    declared = {} if dtd is None else {each.name: each.content or "" for each in dtd.iterentities()}
    room = _MAX_ENTITY_CHARACTERS
    for entity in list(root.iter(etree.Entity)):
        text = _text(declared.get(entity.name) or html5.get(f"{entity.name};", ""))[:room]
        room -= len(text)
        lost["entities of other files"] += not text
        _replace(entity, text)


def _text(value: str) -> str:
    """The value of an entity as text: no markup, and no entities inside it."""

    def character(found: re.Match[str]) -> str:
        number = int(found[1], 16) if found[1] else int(found[2])
        return chr(number) if 0x20 <= number <= _LAST_CHARACTER and not 0xD800 <= number < 0xE000 else ""  # noqa: PLR2004

    return _REFERENCE.sub(character, _MARKUP.sub("", value))


def _replace(entity: Any, text: str) -> None:
    parent, before = entity.getparent(), entity.getprevious()
    text += entity.tail or ""
    entity.tail = None
    if before is not None:
        before.tail = (before.tail or "") + text
    else:
        parent.text = (parent.text or "") + text
    parent.remove(entity)
