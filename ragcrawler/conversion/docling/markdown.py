"""A docling document as Markdown: docling's own serialiser, mended where its Markdown would not be read back.

Importing this module imports docling_core, which takes a second: import it where it is used.
"""

import re
from itertools import groupby
from typing import Any

from docling_core.transforms.serializer.base import BaseDocSerializer, SerializationResult
from docling_core.transforms.serializer.common import create_ser_result
from docling_core.transforms.serializer.markdown import (
    MarkdownDocSerializer,
    MarkdownFallbackSerializer,
    MarkdownListSerializer,
    MarkdownParams,
    MarkdownPictureSerializer,
    MarkdownTableSerializer,
    MarkdownTextSerializer,
)
from docling_core.types.doc.common.content_layer import ContentLayer
from docling_core.types.doc.document import DoclingDocument
from docling_core.types.doc.items.group import GroupItem, InlineGroup, ListGroup
from docling_core.types.doc.items.node import NodeItem
from docling_core.types.doc.items.picture.picture import PictureItem
from docling_core.types.doc.items.text import ListItem, SectionHeaderItem, TextItem, TitleItem
from docling_core.types.doc.labels import GroupLabel
from typing_extensions import override

from ragcrawler.conversion.escaping import escape_inline

_DEEPEST_HEADING = 6
_RULED_OFF = re.compile(r"^\|(?: - \|)+$", re.MULTILINE)
_SHEET_OF_OPENDOCUMENT = "sheet: "
_LISTED = (ListItem, GroupItem)


class _Texts(MarkdownTextSerializer):
    """Headings begin at level 1; several titles, as on slides, stand at level 2."""

    heading_offset: int = 0
    title_level: int = 1

    @override
    def serialize(self, *, item: TextItem, **kwargs: Any) -> SerializationResult:
        """Notes of a speaker and comments are quoted."""
        result = super().serialize(item=item, **kwargs)
        if item.content_layer == ContentLayer.NOTES and result.text:
            if _stands_in_line(item, kwargs["doc"]):
                result.text = f"(**Note:** {result.text})"
            else:
                lines = f"**Note:** {result.text}".split("\n")
                result.text = "\n".join(f"> {line}".rstrip() for line in lines)
        return result

    @override
    def _format_heading(
        self, text: str, item: TitleItem | SectionHeaderItem, in_table_cell: bool = False
    ) -> str:
        if in_table_cell:
            return text
        level = self.title_level if isinstance(item, TitleItem) else item.level + self.heading_offset
        return f"{'#' * min(level, _DEEPEST_HEADING)} {text}"


class _Lists(MarkdownListSerializer):
    """A table or picture that docling hangs into the list before it gets blank lines around it."""

    @override
    def serialize(
        self, *, item: ListGroup, doc_serializer: BaseDocSerializer, doc: DoclingDocument, **kwargs: Any
    ) -> SerializationResult:
        children = item.children
        visited: set[str] = kwargs.setdefault("visited", set())
        parts: list[SerializationResult] = []
        for listed, run in groupby(children, key=lambda child: isinstance(child.resolve(doc), _LISTED)):
            item.children = list(run)
            if listed:
                parts.append(super().serialize(item=item, doc_serializer=doc_serializer, doc=doc, **kwargs))
            else:
                visited.update(child.cref for child in item.children)
                parts.extend(doc_serializer.serialize(item=child.resolve(doc)) for child in item.children)
        item.children = children
        return create_ser_result(
            text="\n\n".join(part.text for part in parts if part.text), span_source=parts
        )


class _Tables(MarkdownTableSerializer):
    """A bar in a cell is escaped as Markdown does it, not as an entity; three dashes rule off the header."""

    @override
    def serialize(self, **kwargs: Any) -> SerializationResult:
        result = super().serialize(**kwargs)
        text = result.text.replace("&#124;", "\\|")
        result.text = _RULED_OFF.sub(lambda row: row[0].replace(" - ", " --- "), text, count=1)
        return result


class _Pictures(MarkdownPictureSerializer):
    """`![caption](name)` for the pictures that are kept, nothing for the others."""

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    @override
    def serialize(self, *, item: PictureItem, doc: DoclingDocument, **kwargs: Any) -> SerializationResult:
        name = self._names.get(item.self_ref)
        caption = " ".join(item.caption_text(doc).split())
        text = f"![{escape_inline(caption)}]({name})" if name else escape_inline(caption)
        return create_ser_result(text=text, span_source=item)


class _Groups(MarkdownFallbackSerializer):
    """A worksheet begins with its name."""

    @override
    def serialize(self, *, item: Any, **kwargs: Any) -> SerializationResult:
        result = super().serialize(item=item, **kwargs)
        if isinstance(item, GroupItem) and result.text and _is_sheet(item):
            name = item.name.removeprefix(_SHEET_OF_OPENDOCUMENT)
            result.text = f"## {escape_inline(name)}\n\n{result.text}"
        return result


def _stands_in_line(item: NodeItem, doc: DoclingDocument) -> bool:
    """Whether an item is a part of a paragraph, as a comment may be."""
    parent = item.parent.resolve(doc) if item.parent is not None else None
    return isinstance(parent, InlineGroup) or (parent is not None and _stands_in_line(parent, doc))


def _is_sheet(group: GroupItem) -> bool:
    is_opendocument = group.label == GroupLabel.SECTION and group.name.startswith(_SHEET_OF_OPENDOCUMENT)
    return is_opendocument or group.label == GroupLabel.SHEET


class _Serializer(MarkdownDocSerializer):
    """Escapes what needs it and no more: the text is also read by embedding models."""

    @override
    def post_process(
        self, text: str, *, escape_html: bool = True, escape_underscores: bool = True, **kwargs: Any
    ) -> str:
        escaped = escape_inline(text) if escape_html else text
        return super().post_process(escaped, escape_html=False, escape_underscores=False, **kwargs)


def docling_markdown(document: DoclingDocument, pictures: dict[str, str]) -> str:
    """Markdown of `document`; `pictures` gives the file names by the items' references."""
    titles = sum(isinstance(item, TitleItem) for item, _ in document.iterate_items())
    serializer = _Serializer(
        doc=document,
        text_serializer=_Texts(heading_offset=min(titles, 1) + (titles > 1), title_level=1 + (titles > 1)),
        list_serializer=_Lists(),
        table_serializer=_Tables(),
        picture_serializer=_Pictures(pictures),
        fallback_serializer=_Groups(),
        params=MarkdownParams(compact_tables=True, indent=4, layers={ContentLayer.BODY, ContentLayer.NOTES}),
    )
    return serializer.serialize().text.strip() + "\n"
