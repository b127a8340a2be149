"""The words of a heading."""

import re

_ATTRIBUTES = re.compile(r"\{[^{}]*\}\s*$")
# An address may hold brackets in pairs.
_DESTINATION = r"\([^()]*(?:\([^()]*\)[^()]*)*\)"
_LINK = re.compile(rf"!?\[([^\[\]]*)\]{_DESTINATION}")
_CODE_OR_TAG = re.compile(r"(`[^`]*`)|(?<!\\)<[^<>]+>")
_NESTED_LINK = re.compile(rf"\]{_DESTINATION}\s*\]\(")


def heading_text(inline: str) -> str:
    """The inline Markdown of a heading without link targets, tags and a trailing `{#id}`.

    Emphasis and code marks stay: removing them would need the inline parser, and `snake_case` is no emphasis.
    So do tags in code and escaped ones, which a reader sees.
    A picture inside a link stays as it is written.
    """
    if _NESTED_LINK.search(inline):
        return " ".join(inline.split())
    bare = _CODE_OR_TAG.sub(r"\1", _LINK.sub(r"\1", _ATTRIBUTES.sub("", inline)))
    return " ".join(bare.split()) or " ".join(inline.split())
