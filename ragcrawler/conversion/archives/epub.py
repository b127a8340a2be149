"""EPUB: a zip archive of XHTML chapters, converted one by one in the order of the spine."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from posixpath import dirname, join, normpath
from typing import Any
from urllib.parse import quote, unquote
from zipfile import ZipFile

from ragcrawler.conversion.archives.archive import open_archive, read_member
from ragcrawler.conversion.archives.dublin_core import DublinCore, read_dublin_core
from ragcrawler.conversion.converted import Converted, Picture
from ragcrawler.conversion.detection.encoding import decode
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.items import Anchor, Metadata

MEDIA_TYPE = "application/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTER_TYPES = frozenset({"application/xhtml+xml", "text/html"})
# RFC 2606: a host that is none. Chapters are converted as if they came from there, and links to it are ours.
_INSIDE = "https://book.invalid/"
_LINK_INSIDE = re.compile(r"(!\[[^\]]*\]\()?https://book\.invalid/([^\s()<>#]*)(#[^\s()<>]*)?")

_HtmlConverter = Callable[[str, str, ConversionLimits], Converted]


@dataclass(frozen=True, slots=True)
class _Book:
    """The package document, as far as it is needed.

    Attributes:
        chapters: names of the archive's members in reading order.
        media_types: of the members that the manifest lists.
        said: the Dublin Core metadata.
    """

    chapters: tuple[str, ...]
    media_types: Mapping[str, str]
    said: DublinCore


def convert_epub(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a book: its chapters in reading order, pictures taken out.

    Raises:
        ConversionError: `damaged`, `encrypted`, `too_large`, `too_deep`, `too_many_pages` or `empty`.
    """
    from ragcrawler.conversion.html import convert_html

    with open_archive(body, url, limits) as archive:
        book = _read_book(archive, url)
        if len(book.chapters) > limits.max_pages:
            message = f"{len(book.chapters)} chapters, over max_pages = {limits.max_pages}"
            raise ConversionError("too_many_pages", message, url=url)
        # A chapter is content from end to end: nothing is to be selected from it.
        chapters = list(_chapters(archive, book, url, limits, partial(convert_html, is_whole=True)))
        if not chapters:
            raise ConversionError("empty", "no chapter of the book holds text", url=url)
        return _bound(archive, book, chapters, url)


def _read_book(archive: ZipFile, url: str) -> _Book:
    container = _xml(read_member(archive, _CONTAINER, url), _CONTAINER, url)
    paths = container.xpath("//*[local-name()='rootfile']/@full-path")
    if not paths:
        raise ConversionError("damaged", f"no EPUB: {_CONTAINER} names no package document", url=url)
    text = read_member(archive, str(paths[0]), url)
    package = _xml(text, str(paths[0]), url)
    folder = dirname(str(paths[0]))
    items = {str(item.get("id")): item for item in package.xpath("//*[local-name()='manifest']/*[@href]")}
    names = {key: normpath(join(folder, unquote(item.get("href")))) for key, item in items.items()}
    order = [str(key) for key in package.xpath("//*[local-name()='spine']/*/@idref")]
    chapters = [names[key] for key in order if key in items and _is_chapter(items[key])]
    _check_encryption(archive, chapters, url)
    types = {names[key]: str(item.get("media-type", "")) for key, item in items.items()}
    return _Book(tuple(chapters), types, read_dublin_core(text))


def _is_chapter(item: Any) -> bool:
    """A text, and not the table of contents."""
    return item.get("media-type") in _CHAPTER_TYPES and "nav" not in item.get("properties", "").split()


def _check_encryption(archive: ZipFile, chapters: list[str], url: str) -> None:
    """Fonts are encrypted in many free books; texts only where rights are managed."""
    text = read_member(archive, _ENCRYPTION, url)
    named = _xml(text, _ENCRYPTION, url).xpath("//@URI") if text.strip() else []
    if {unquote(str(name)) for name in named} & set(chapters):
        raise ConversionError("encrypted", "the chapters are encrypted (rights management)", url=url)


def _xml(text: bytes, name: str, url: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        return etree.fromstring(text, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ConversionError("damaged", f"{name} is not XML: {error}", url=url) from error


def _chapters(
    archive: ZipFile, book: _Book, url: str, limits: ConversionLimits, convert_html: _HtmlConverter
) -> Iterator[Converted]:
    for name in book.chapters:
        text = decode(read_member(archive, name, url), "")
        try:
            yield convert_html(text, _INSIDE + quote(name), limits)
        except ConversionError as error:
            if error.reason != "empty":  # a cover is a picture
                raise ConversionError(error.reason, f"{name}: {error}", url=url) from error


def _bound(archive: ZipFile, book: _Book, chapters: list[Converted], url: str) -> Converted:
    """The chapters as one document."""
    anchors: list[Anchor] = []
    line = 0
    for chapter in chapters:
        anchors += [replace(anchor, line=anchor.line + line) for anchor in chapter.anchors]
        line += chapter.markdown.count("\n") + 1
    pictures: dict[str, Picture] = {}
    links = _Links(archive, book, url, pictures)
    markdown = _LINK_INSIDE.sub(links.outward, "\n".join(chapter.markdown for chapter in chapters))
    said = book.said
    metadata = Metadata(
        description=said.description,
        language=said.language,
        author=said.author,
        published=said.published,
        modified=said.modified,
        media_type=MEDIA_TYPE,
        converter="epub-html",
        pages=len(chapters),
        hidden_characters=sum(chapter.metadata.hidden_characters for chapter in chapters),
        cut=tuple(dict.fromkeys(kind for chapter in chapters for kind in chapter.metadata.cut)),
        suspicious=tuple(passage for chapter in chapters for passage in chapter.metadata.suspicious),
    )
    title = said.title or chapters[0].title
    outward = document_links(markdown, url)
    return Converted(title, markdown, metadata, tuple(anchors), outward, tuple(pictures.values()))


@dataclass(frozen=True, slots=True)
class _Links:
    """Turns links into the archive to what a reader of the Markdown can follow."""

    archive: ZipFile
    book: _Book
    url: str
    pictures: dict[str, Picture]

    def outward(self, found: re.Match[str]) -> str:
        """A picture by its file name, any other place by the book's URL."""
        image, name, fragment = found[1] or "", unquote(found[2]), found[3] or ""
        if image and self.book.media_types.get(name, "").startswith("image/"):
            return image + self._picture(name)
        return image + self.url + fragment

    def _picture(self, name: str) -> str:
        if name not in self.pictures:
            media_type = self.book.media_types[name]
            extension = name.rpartition(".")[2].lower() if "." in name else media_type.partition("/")[2]
            data = read_member(self.archive, name, self.url)
            self.pictures[name] = Picture(f"picture-{len(self.pictures) + 1}.{extension}", media_type, data)
        return self.pictures[name].name
