"""Bytes to Markdown: a table of converters by media type, and the call that reads it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.detection.encoding import charset_of, decode
from ragcrawler.conversion.detection.media_type import SUFFIXES, media_type_of
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.suspicious import find_suspicious
from ragcrawler.items import LABEL_CHARACTERS, Metadata, bounded_label

# Raise it when the same document gives other Markdown: stored pages are then converted anew, changed or not.
CONVERTER_VERSION = "3"

AS_PLAIN_TEXT = "text/x-plain"
"""The media type of what is plain text whatever its name and its beginning say."""

_OFFICE = "ragcrawler.conversion.office"
_OPEN_XML = "application/vnd.openxmlformats-officedocument"

BINARY_CONVERTERS: Mapping[str, str] = {
    "application/pdf": "ragcrawler.conversion.pdf:convert_pdf",
    f"{_OPEN_XML}.wordprocessingml.document": f"{_OFFICE}:convert_docx",
    f"{_OPEN_XML}.presentationml.presentation": f"{_OFFICE}:convert_pptx",
    f"{_OPEN_XML}.spreadsheetml.sheet": f"{_OFFICE}:convert_xlsx",
    "application/vnd.oasis.opendocument.text": f"{_OFFICE}:convert_odt",
    "application/vnd.oasis.opendocument.spreadsheet": f"{_OFFICE}:convert_ods",
    "application/vnd.oasis.opendocument.presentation": f"{_OFFICE}:convert_odp",
    "application/epub+zip": "ragcrawler.conversion.archives.epub:convert_epub",
    "application/rtf": "ragcrawler.conversion.markup.rich_text:convert_rich_text",
    "message/rfc822": "ragcrawler.conversion.mail:convert_message",
}
"""Media type -> "module:function", of shape `(body: bytes, url: str, limits) -> Converted`."""

TEXT_CONVERTERS: Mapping[str, str] = {
    "text/html": "ragcrawler.conversion.html:convert_html",
    "application/xhtml+xml": "ragcrawler.conversion.html:convert_html",
    "text/markdown": "ragcrawler.conversion.text.markdown:convert_markdown",
    "text/mdx": "ragcrawler.conversion.text.mdx:convert_mdx",
    "text/x-rst": "ragcrawler.conversion.markup.restructured_text:convert_restructured_text",
    "text/asciidoc": "ragcrawler.conversion.markup.asciidoc:convert_asciidoc",
    "application/docbook+xml": "ragcrawler.conversion.markup.docbook:convert_docbook",
    "text/troff": "ragcrawler.conversion.markup.manual_page:convert_manual_page",
    "text/plain": "ragcrawler.conversion.text.plain:convert_plain_text",
    AS_PLAIN_TEXT: "ragcrawler.conversion.text.plain:convert_plain_text",
    "text/csv": "ragcrawler.conversion.text.delimited:convert_csv",
    "text/tab-separated-values": "ragcrawler.conversion.text.delimited:convert_tsv",
    "application/x-ipynb+json": "ragcrawler.conversion.notebook:convert_notebook",
    "application/json": "ragcrawler.conversion.text.plain:convert_json",
    "application/xml": "ragcrawler.conversion.text.plain:convert_xml",
    "application/rss+xml": "ragcrawler.conversion.text.feeds:convert_feed",
    "application/atom+xml": "ragcrawler.conversion.text.feeds:convert_feed",
}
"""Media type -> "module:function", of shape `(text: str, url: str, limits) -> Converted`."""

READABLE_EXTENSIONS: frozenset[str] = frozenset(
    suffix.removeprefix(".")
    for suffix, media_type in {**SUFFIXES, ".pdf": "application/pdf"}.items()
    if media_type in BINARY_CONVERTERS or media_type in TEXT_CONVERTERS
)
"""Extensions in lower case of files that have a converter: a crawl downloads these."""


def convert(body: bytes, content_type: str, url: str, *, limits: ConversionLimits | None = None) -> Converted:
    """Turn a document into Markdown, in the calling process: neither time nor memory is bounded.

    A small hostile document can take minutes or all of the memory. What comes from the web belongs into a
    worker process: `ragcrawler.conversion.isolation` has `convert_in_worker` and `WorkerPool`.

    Args:
        body: the undecoded bytes, as the server sent them.
        content_type: the `Content-Type` header, "" where there was none; sniffed where it lies.
        url: the document's address; relative links are resolved against it.
        limits: bounds on size and nesting; the defaults where None.

    Raises:
        ConversionError: with the reason; nothing else is raised for any input.
    """
    limits = (limits or ConversionLimits()).of_document(url)
    _refuse(body, url, limits)
    media_type = media_type_of(body, content_type, url)
    try:
        if media_type in BINARY_CONVERTERS:
            return bound_labels(_flag(_resolve(BINARY_CONVERTERS[media_type])(body, url, limits)))
        if media_type in TEXT_CONVERTERS:
            text = decode(body, charset_of(content_type))
            return bound_labels(_flag(_resolve(TEXT_CONVERTERS[media_type])(text, url, limits)))
    except RecursionError as error:
        raise ConversionError("too_deep", f"{media_type}: nested too deep to be read", url=url) from error
    raise ConversionError(
        "unsupported_type",
        f"{media_type or 'unknown binary data'} (sent as {content_type or 'nothing'}) has no converter",
        url=url,
    )


def _refuse(body: bytes, url: str, limits: ConversionLimits) -> None:
    if len(body) > limits.max_input_bytes:
        message = f"{len(body)} bytes, over max_input_bytes = {limits.max_input_bytes}"
        raise ConversionError("too_large", message, url=url)
    if not body.strip():
        raise ConversionError("empty", "the body holds nothing but white space", url=url)


def _flag(converted: Converted) -> Converted:
    """The document with the passages noted that read like instructions to a model."""
    suspicious = find_suspicious(converted.markdown)
    if not suspicious:
        return converted
    return replace(converted, metadata=replace(converted.metadata, suspicious=suspicious))


def _resolve(name: str) -> Callable[[Any, str, ConversionLimits], Converted]:
    """Import a converter on its first use: some of them cost seconds."""
    module, _, function = name.partition(":")
    converter: Callable[[Any, str, ConversionLimits], Converted] = getattr(import_module(module), function)
    return converter


_MAX_WARNINGS = 50


def bound_labels(converted: Converted) -> Converted:
    """Title and metadata within 1,000 characters each; `metadata.cut` says what was cut.

    An address or an id that is longer is left out: a part of it would name another place.
    """
    said = converted.metadata
    title = bounded_label(converted.title)
    anchors = tuple(anchor for anchor in converted.anchors if len(anchor.id) <= LABEL_CHARACTERS)
    labels = _bound(said)
    canonical_url = said.canonical_url if len(said.canonical_url) <= LABEL_CHARACTERS else ""
    was_cut = {
        "title": title != converted.title,
        "metadata": labels != said,
        "address": canonical_url != said.canonical_url,
        "anchor": len(anchors) < len(converted.anchors),
    }
    cut = (*said.cut, *(kind for kind, is_cut in was_cut.items() if is_cut))
    metadata = replace(labels, canonical_url=canonical_url, cut=cut)
    return replace(converted, title=title, metadata=metadata, anchors=anchors)


def _bound(metadata: Metadata) -> Metadata:
    return replace(
        metadata,
        description=bounded_label(metadata.description),
        language=bounded_label(metadata.language),
        author=bounded_label(metadata.author),
        published=bounded_label(metadata.published),
        modified=bounded_label(metadata.modified),
        site_name=bounded_label(metadata.site_name),
        suspicious=tuple(map(bounded_label, metadata.suspicious)),
        warnings=tuple(map(bounded_label, metadata.warnings[:_MAX_WARNINGS])),
    )
