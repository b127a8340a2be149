"""The tree that docutils has read: messages about errors go, the text that they quote stays."""

from collections import Counter
from typing import Any

from docutils import nodes

_MAX_TITLE_CHARACTERS = 200
_DISABLED = ("directive disabled", '"raw"')


def mend(tree: nodes.document) -> tuple[str, ...]:
    """Take out what is no text of the document; one warning for each kind of loss."""
    lost: Counter[str] = Counter()
    for node in list(tree.findall(nodes.comment)):
        lost["parts of other files"] += "elsewhere" in node["classes"]
        _replace(node, [])
    for message in list(tree.findall(nodes.system_message)):
        if message.parent is not None:
            said = message.next_node(nodes.paragraph)
            is_disabled = said is not None and any(mark in said.astext() for mark in _DISABLED)
            lost["blocks of raw markup or of other files"] += is_disabled
            _replace(message, [] if is_disabled else _quoted(message))
    for node in list(tree.findall(nodes.Element)):
        _mend_node(node, tree)
    return tuple(f"left out: {name} ({count})" for name, count in lost.items() if count)


def _mend_node(node: Any, tree: nodes.document) -> None:
    if isinstance(node, nodes.problematic):
        _replace(node, [nodes.Text(node.astext())])
    elif isinstance(node, nodes.section) and "system-messages" in node["classes"]:
        _replace(node, [])
    elif isinstance(node, nodes.math | nodes.math_block):
        _replace(node, [_formula(node)])
    elif isinstance(node, nodes.inline) and "label" in node["classes"]:
        _resolve(node, tree)
    elif isinstance(node, nodes.admonition):
        node["classes"] += ["note"]  # else the converter of HTML takes it for a division
    elif isinstance(node, nodes.literal):
        node["classes"] = ["code"]  # else the writer makes a `span` of it


def _resolve(label: Any, tree: nodes.document) -> None:
    """Show the title of the section that a label stands before, as Sphinx does."""
    place = tree.nameids.get(nodes.fully_normalize_name(label.astext()))
    section = tree.ids.get(place)
    title = section.next_node(nodes.title) if isinstance(section, nodes.section) else None
    if title is not None:
        shown, name = title.astext(), section["ids"][0]
        name = place if len(name) > _MAX_TITLE_CHARACTERS else name
        _replace(label, [nodes.reference("", shown[:_MAX_TITLE_CHARACTERS], refid=name)])


def _formula(formula: Any) -> Any:
    """A formula in the form that Sphinx writes, which the converter of HTML reads."""
    if isinstance(formula, nodes.math):
        return nodes.inline("", f"\\({formula.astext()}\\)", classes=["math", "notranslate"])
    return nodes.container("", nodes.Text(f"\\[{formula.astext()}\\]"), classes=["math", "notranslate"])


def _quoted(message: nodes.system_message) -> list[Any]:
    """The text that docutils could not read: as code, or as prose where it is one line."""
    blocks = list(message.findall(nodes.literal_block))
    return [block if "\n" in block.astext() else nodes.paragraph("", block.astext()) for block in blocks]


def _replace(node: Any, others: list[Any]) -> None:
    parent = node.parent
    if parent is not None:
        place = parent.index(node)
        parent[place : place + 1] = others
