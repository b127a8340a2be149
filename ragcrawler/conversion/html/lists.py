"""Bullet, ordered and task lists, nested and with blocks in their items."""

import re

from lxml import html

from ragcrawler.conversion.html.renderer import Renderer

_LIST_START = re.compile(r"(?:[-*+]|\d{1,9}[.)]) ")


def render_list(renderer: Renderer, element: html.HtmlElement) -> list[str]:
    """One block: the whole list, tight where no item holds more than a line and inner lists."""
    number = _start(element) if element.tag == "ol" else None
    items: list[str] = []
    loose = False
    for child in element:
        blocks = renderer.blocks(child) if child.tag == "li" else renderer.stray_blocks(child)
        if not blocks:
            continue
        marker = "- " if number is None else f"{number}. "
        tight = all(_LIST_START.match(block) for block in blocks[1:])
        loose = loose or not tight
        items.append(_item(marker + _task(child), blocks, "\n" if tight else "\n\n", len(marker)))
        number = number + 1 if number is not None else None
    return [("\n\n" if loose else "\n").join(items)] if items else []


def _start(element: html.HtmlElement) -> int:
    value = element.get("start", "1").strip()
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 9 else 1


def _task(item: html.HtmlElement) -> str:
    box = next((inner for inner in item.iter("input") if inner.get("type") == "checkbox"), None)
    if box is None:
        return ""
    return "[x] " if box.get("checked") is not None else "[ ] "


def _item(marker: str, blocks: list[str], separator: str, indent: int) -> str:
    text = separator.join(blocks)
    margin = " " * indent
    return marker + "\n".join(
        margin + line if line and index else line for index, line in enumerate(text.split("\n"))
    )
