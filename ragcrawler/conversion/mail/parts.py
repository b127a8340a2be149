"""The parts of a message: its text, pictures shown in it, attachments."""

import re
from dataclasses import dataclass, field
from email.message import MIMEPart
from urllib.parse import quote, unquote, urljoin

from ragcrawler.conversion.converted import Converted, Picture
from ragcrawler.conversion.detection.encoding import decode
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.escaping import escape_inline
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.text_cleaning import without_surrogates

_MAX_ATTACHMENTS = 20
_MAX_LEVELS = 5  # of messages in messages
_PICTURE = re.compile(r"\]\(cid:([^()\s]+)\)")
_HEADING = re.compile(r"^(?=#{1,4} )")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(slots=True)
class Parts:
    """What the parts of a message came to.

    Attributes:
        url: of the message.
        limits: for each part.
        blocks: Markdown of the text and the attachments.
        pictures: those that the text shows.
        warnings: what was lost.
        hidden_characters: of all parts.
        attachments: how many were converted.
    """

    url: str
    limits: ConversionLimits
    blocks: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    hidden_characters: int = 0
    attachments: int = 0


def write_parts(message: MIMEPart, parts: Parts) -> None:
    """Write the text of a message, then its attachments.

    Raises:
        ConversionError: `too_deep` for messages in messages.
    """
    if _levels(message) > _MAX_LEVELS:
        raise ConversionError("too_deep", f"over {_MAX_LEVELS} messages inside each other", url=parts.url)
    text = message.get_body(preferencelist=("html", "plain"))
    shown: set[str] = set()
    if text is None and not message.is_multipart():
        _attach(message, parts)
    elif text is not None:
        parts.blocks.append(_place_pictures(_text(text, message, parts), message, parts, shown))
    for attachment in message.iter_attachments() if message.is_multipart() else ():
        if attachment.get_content_maintype() == "multipart":
            write_parts(attachment, parts)
        elif attachment is not text and _content_id(attachment) not in shown:
            _attach(attachment, parts)


def _levels(message: MIMEPart) -> int:
    """How many messages are inside each other at most."""
    inner = max(map(_levels, message.iter_parts()), default=0) if message.is_multipart() else 0
    return inner + (message.get_content_type() == "message/rfc822")


def _text(text: MIMEPart, message: MIMEPart, parts: Parts) -> str:
    """The text as Markdown: of its HTML, or where that shows nothing, of its plain text."""
    from ragcrawler.conversion.html import convert_html

    if text.get_content_subtype() == "html":
        try:
            converted = convert_html(_decoded(text), parts.url, parts.limits, is_whole=True)
        except ConversionError as error:
            if error.reason != "empty":
                parts.warnings.append(f"left out: the HTML of the message: {error.reason}: {error}")
        else:
            parts.hidden_characters += converted.metadata.hidden_characters
            return converted.markdown.strip("\n")
        plain = message.get_body(preferencelist=("plain",))
        return _decoded(plain) if plain is not None else ""
    return _decoded(text)


def _decoded(part: MIMEPart) -> str:
    """The text of a part, its line ends made one kind."""
    text = decode(_bytes(part), str(part.get_content_charset() or ""))
    return without_surrogates(text).replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def _bytes(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _place_pictures(markdown: str, message: MIMEPart, parts: Parts, shown: set[str]) -> str:
    """Show the pictures that are parts of the message under their names; add their ids to `shown`."""
    by_id = {_content_id(part): part for part in message.walk() if isinstance(part, MIMEPart)}

    def place(found: re.Match[str]) -> str:
        name = unquote(found[1])
        part = by_id.get(name)
        if part is None or part.get_content_maintype() != "image":
            return "]()"
        shown.add(name)
        picture = f"picture-{len(parts.pictures) + 1}.{part.get_content_subtype()}"
        parts.pictures.append(Picture(picture, part.get_content_type(), _bytes(part)))
        return f"]({picture})"

    return _PICTURE.sub(place, markdown)


def _content_id(part: MIMEPart) -> str:
    return str(part.get("Content-ID", "")).strip().strip("<>")


def _attach(part: MIMEPart, parts: Parts) -> None:
    """Write an attachment as a section, or its name where it cannot be converted."""
    name = " ".join(without_surrogates(part.get_filename() or "").split())
    heading = f"## {escape_inline(name or part.get_content_type())}"
    try:
        converted = _convert(part, name, parts)
    except ConversionError as error:
        parts.blocks.append(heading)
        said = f"left out: attachment {name or '(no name)'} ({part.get_content_type()}): {error.reason}"
        parts.warnings.append(said)
        return
    is_message = converted.metadata.converter == "message"  # which has a heading of its own
    parts.blocks += [*([] if is_message else [heading]), _lowered(converted.markdown)]
    parts.warnings += converted.metadata.warnings
    parts.hidden_characters += converted.metadata.hidden_characters
    if converted.pictures:
        parts.warnings.append(f"left out: pictures of attachment {name} ({len(converted.pictures)})")


def _convert(part: MIMEPart, name: str, parts: Parts) -> Converted:
    # The table of converters has a row for messages.
    from ragcrawler.conversion.convert import convert

    if parts.attachments == _MAX_ATTACHMENTS:
        raise ConversionError("too_large", f"more than {_MAX_ATTACHMENTS} attachments", url=parts.url)
    parts.attachments += 1
    kind = part.get_content_type()
    body = _bytes(part)
    if kind.startswith("message/") and part.is_multipart():
        body = b"\n".join(inner.as_bytes() for inner in part.iter_parts())
        kind = kind if kind == "message/rfc822" else "text/plain"
    charset = part.get_content_charset()
    content_type = f"{kind}; charset={charset}" if charset else kind
    return convert(body, content_type, urljoin(parts.url, quote(name) or "part"), limits=parts.limits)


def _lowered(markdown: str) -> str:
    """The Markdown with its headings two levels lower, but for what looks like one in a fence."""
    lines: list[str] = []
    fence = ""
    for line in markdown.strip("\n").split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
        lines.append(line if fence else _HEADING.sub("##", line))
    return "\n".join(lines)
