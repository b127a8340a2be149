"""Bullet, ordered and task lists, nested and with blocks in their items."""

import re

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer, indented

_LISTS = ("ul", "ol", "menu")
_NESTED_INDENT = 3
_MAX_START_DIGITS = 9
_LIST_START = re.compile(r"(?:[-*+]|\d{1,9}[.)]) ")


def render_list(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """One block: the whole list, tight where no item holds more than a line and inner lists.

    Footnotes written as list items become blocks of their own behind it.
    """
    number = _start(element) if element.tag == "ol" else None
    items: list[str] = []
    notes: list[str] = []
    loose = False
    renderer.enter(element)
    for child in element:
        if child.get("data-footnote"):
            notes.extend(renderer.note(child))
            continue
        blocks = _item(renderer, child)
        if not blocks:
            continue
        if child.tag in _LISTS:
            _nest("\n".join(blocks), items)
            continue
        marker = "- " if number is None else f"{number}. "
        tight = all(_LIST_START.match(block) for block in blocks[1:])
        loose = loose or not tight
        text = ("\n" if tight else "\n\n").join(blocks)
        items.append(marker + _task(child) + indented(text, " " * len(marker)).lstrip())
        number = number + 1 if number is not None else None
    return [*([("\n\n" if loose else "\n").join(items)] if items else []), *notes]


def _item(renderer: Renderer, child: html.HtmlElement) -> list[str]:
    if child.tag != "li":
        return renderer.stray_blocks(child)
    renderer.enter(child)
    return renderer.blocks(child)


def _nest(inner: str, items: list[str]) -> None:
    """A list that stands between items belongs to the one before it."""
    if items:
        items[-1] += "\n" + indented(inner, " " * _NESTED_INDENT)
    else:
        items.append(inner)


def _start(element: html.HtmlElement) -> int:
    value = element.get("start", "1").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) <= _MAX_START_DIGITS else 1


def _task(item: html.HtmlElement) -> str:
    box = next((inner for inner in item.iter("input") if inner.get("type") == "checkbox"), None)
    if box is None:
        return ""
    return "[x] " if box.get("checked") is not None else "[ ] "
