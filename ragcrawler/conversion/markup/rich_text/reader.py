"""Reads Rich Text Format, group by group."""

import codecs
from binascii import Error as NoHex
from binascii import unhexlify
from collections.abc import Callable
from dataclasses import replace
from html import escape

from ragcrawler.conversion.converted import Picture
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.markup.rich_text.page import RichTextPage
from ragcrawler.conversion.markup.rich_text.state import Group, Paragraph, Tables
from ragcrawler.conversion.markup.rich_text.tokens import Token, read_tokens
from ragcrawler.conversion.markup.rich_text.words import (
    CHARSETS,
    DESTINATIONS,
    FIXED_WIDTH,
    HEADING,
    HYPERLINK,
    PICTURES,
    READ_THOUGH_OPTIONAL,
    SIGNS,
    SKIPPED,
    SYMBOLS,
)
from ragcrawler.conversion.work import Work

# RFC 2606: a host that is none; pictures are shown from there until the page is Markdown.
INSIDE = "https://picture.invalid/"
_MAX_GROUPS = 1_000


class RichTextReader:
    """Reads a document.

    Attributes:
        page: its paragraphs.
        title: and `author`: what the file says of itself.
        pictures: those in formats of the web.
        lost_pictures: how many are in other formats.
        notes: HTML of the footnotes.
    """

    def __init__(self, url: str, work: Work) -> None:
        self.page = RichTextPage(work)
        self.title = ""
        self.author = ""
        self.pictures: list[Picture] = []
        self.lost_pictures = 0
        self.lost_comments = 0
        self.notes: list[str] = []
        self._url = url
        self._work = work
        self._groups = [Group()]
        self._paragraph = Paragraph()
        self._tables = Tables()
        self._encoding = "cp1252"
        self._bytes = bytearray()
        self._collected: dict[str, list[str]] = {}
        self._skip = 0
        self._first_font = 0
        self._picture_type = ""
        self._addresses: list[str] = []
        self._style_number = 0
        self._around: list[RichTextPage] = []
        self._handlers = self._known_words()

    def _known_words(self) -> dict[str, Callable[[int | None], None]]:
        """Control words, with the effect of each and its number."""
        return {
            "par": lambda _: self._end_paragraph(),
            "sect": lambda _: self._end_paragraph(),
            "page": lambda _: self._end_paragraph(),
            "pard": lambda _: self._plain_paragraph(),
            "cell": lambda _: self.page.cell(),
            "nestcell": lambda _: self._say("; "),
            "row": lambda _: self.page.row(),
            "intbl": lambda _: self._set("is_in_table", True),
            "outlinelevel": lambda number: self._set("outline", number if number in range(9) else None),
            "ilvl": lambda number: self._set("list_level", max(number or 0, 0)),
            "s": self._style,
            "plain": lambda _: self._plain_characters(),
            "deff": lambda number: setattr(self, "_first_font", number or 0),
            "b": lambda number: self._characters(is_bold=number != 0),
            "i": lambda number: self._characters(is_italic=number != 0),
            "v": lambda number: self._characters(is_hidden=number != 0),
            "f": self._font,
            "fcharset": self._charset,
            "fmodern": lambda _: self._tables.fixed_width.add(self._group.font),
            "uc": lambda number: setattr(self._group, "fallbacks", min(max(number or 0, 0), 16)),
            "u": self._unicode,
            "ansicpg": self._code_page,
            "mac": lambda _: setattr(self, "_encoding", "mac_roman"),
            "pc": lambda _: setattr(self, "_encoding", "cp437"),
        }  # fmt: skip

    def read(self, body: bytes) -> None:
        """Read a file.

        Raises:
            ConversionError: `too_deep`, `too_large`.
        """
        for token in read_tokens(body):
            if token.kind != "byte":
                self._flush_bytes()
            self._take(token)
        self._flush_bytes()
        while len(self._groups) > 1:  # a file that was cut off
            self._brace("}")

    @property
    def _group(self) -> Group:
        return self._groups[-1]

    def _take(self, token: Token) -> None:
        if token.kind == "brace":
            self._brace(token.value)
        elif token.kind == "word":
            self._word(token.value, token.number)
        elif token.kind == "sign":
            self._sign(token.value)
        elif self._skip and token.kind == "byte":
            self._skip -= 1
        elif self._skip and token.kind == "text":
            skipped, self._skip = self._skip, max(self._skip - len(token.data), 0)
            self._bytes += token.data[skipped:]
            self._flush_bytes()
        else:
            self._bytes += token.data

    def _brace(self, brace: str) -> None:
        self._skip = 0
        if brace == "{":
            if len(self._groups) > _MAX_GROUPS:
                raise ConversionError(
                    "too_deep", f"over {_MAX_GROUPS} groups inside each other", url=self._url
                )
            self._groups.append(replace(self._group, is_optional=False))
        elif len(self._groups) > 1:
            closed = self._groups.pop()
            if closed.destination != self._group.destination:
                self._end_destination(closed.destination)

    def _word(self, word: str, number: int | None) -> None:
        if word in DESTINATIONS or (self._group.is_optional and word not in READ_THOUGH_OPTIONAL):
            self._begin_destination(word)
        elif word in PICTURES or word in ("emfblip", "wmetafile", "dibitmap", "macpict"):
            self._picture_type = word
        elif word in SIGNS:
            self._say(SIGNS[word])
        elif word in self._handlers:
            self._handlers[word](number)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._group.is_optional = True
        elif sign in "\r\n":
            self._end_paragraph()
        elif sign in SYMBOLS:
            self._say(SYMBOLS[sign])

    def _begin_destination(self, word: str) -> None:
        if word in ("shppict", "ud", "field", "fldrslt", "upr", "info"):
            self._group.is_optional = False
            if word == "fldrslt":
                self._group.destination = self._group.destination or "fldrslt"
            return
        self.lost_comments += word == "annotation"
        if word == "footnote" and not self._group.destination:  # one inside of another is a part of it
            self._around.append(self.page)
            self.page = RichTextPage(self._work)
        self._group.destination = self._group.destination or word

    def _end_destination(self, name: str) -> None:
        text = "".join(self._collected.pop(name, []))
        if name in ("title", "author"):
            setattr(self, name, " ".join(text.split()))
        elif name in ("listtext", "pntext"):
            self._paragraph.marker = text.strip() or "\u2022"
        elif name == "fldinst":
            found = HYPERLINK.search(text)
            self._addresses.append(found[1] if found else "")
        elif name == "fldrslt":
            self._end_link(text)
        elif name == "pict":
            self._end_picture(text)
        elif name == "footnote":
            note, self.page = self.page.finish(), self._around.pop()
            self.notes.append(note)
            number = len(self.notes)
            self.page.html(f'<a role="doc-noteref" href="#rtf-note-{number}">{number}</a>')

    def _end_link(self, text: str) -> None:
        address = self._addresses.pop() if self._addresses else ""
        shown = escape(" ".join(text.split()))
        if shown:
            self.page.html(f'<a href="{escape(address)}">{shown}</a>' if address else shown)

    def _end_picture(self, text: str) -> None:
        try:
            data = unhexlify("".join(text.split()))
        except (NoHex, ValueError):
            data = b""
        if self._picture_type not in PICTURES or not data:
            self.lost_pictures += 1
            return
        extension, media_type = PICTURES[self._picture_type]
        name = f"picture-{len(self.pictures) + 1}.{extension}"
        self.pictures.append(Picture(name, media_type, data))
        self.page.html(f'<img src="{INSIDE}{name}" alt="">')

    def _say(self, text: str) -> None:
        destination = self._group.destination
        if destination == "stylesheet":
            self._name_style(text)
        elif destination == "fonttbl":
            if FIXED_WIDTH.search(text):
                self._tables.fixed_width.add(self._group.font)
        elif destination in ("", "footnote"):
            is_code = self._group.font in self._tables.fixed_width
            self.page.text(text, self._group, is_code=is_code)
        elif destination not in SKIPPED:
            self._collected.setdefault(destination, []).append(text)

    def _name_style(self, text: str) -> None:
        found = HEADING.match(text.strip())
        if found:
            self._tables.headings[self._style_number] = max(int(found[1]) - 1, 0)

    def _flush_bytes(self) -> None:
        if self._bytes:
            own = self._tables.encodings.get(self._group.font)
            text = bytes(self._bytes).decode(own or self._encoding, "replace")
            self._bytes.clear()
            self._say(text)

    def _end_paragraph(self) -> None:
        if self._group.destination in ("", "footnote"):
            self.page.paragraph(self._paragraph)
            self._paragraph = replace(self._paragraph, marker="")

    def _plain_paragraph(self) -> None:
        if self._group.destination in ("", "footnote"):
            self._paragraph = Paragraph(marker=self._paragraph.marker)

    def _plain_characters(self) -> None:
        self._characters(is_bold=False, is_italic=False, is_hidden=False, font=self._first_font)

    def _set(self, name: str, value: object) -> None:
        if self._group.destination == "":
            setattr(self._paragraph, name, value)

    def _characters(self, **properties: bool | int) -> None:
        for name, value in properties.items():
            setattr(self._group, name, value)

    def _style(self, number: int | None) -> None:
        if self._group.destination == "stylesheet":
            self._style_number = number or 0
        else:
            self._set("outline", self._tables.headings.get(number or 0))

    def _font(self, number: int | None) -> None:
        self._group.font = number or 0

    def _charset(self, number: int | None) -> None:
        if self._group.destination == "fonttbl" and number in CHARSETS:
            self._tables.encodings[self._group.font] = CHARSETS[number]

    def _code_page(self, number: int | None) -> None:
        name = {65001: "utf-8", 10000: "mac_roman"}.get(number or 0, f"cp{number}")
        try:
            self._encoding = codecs.lookup(name).name
        except LookupError:
            return  # the default stays

    def _unicode(self, number: int | None) -> None:
        code = (number or 0) & 0xFFFF
        self._say(chr(code))
        self._skip = self._group.fallbacks
