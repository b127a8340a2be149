"""A message of electronic mail (`.eml`): its headers, its text, its attachments.

Formats: RFC 5322, RFC 2045 and those that follow it.
"""

from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import Policy
from functools import partial
from itertools import count
from typing import cast

from ragcrawler.conversion.converted import Converted
from ragcrawler.conversion.errors import ConversionError
from ragcrawler.conversion.escaping import escape_inline
from ragcrawler.conversion.limits import ConversionLimits
from ragcrawler.conversion.links import document_links
from ragcrawler.conversion.mail.header_bounds import POLICY, cut_headers
from ragcrawler.conversion.mail.parts import Parts, write_parts
from ragcrawler.conversion.text.plain import file_name
from ragcrawler.conversion.text_cleaning import strip_invisible, without_surrogates
from ragcrawler.items import Metadata

MEDIA_TYPE = "message/rfc822"
_MAX_PARTS = 1_000
_SHOWN = ("From", "To", "Cc", "Date")


def convert_message(body: bytes, url: str, limits: ConversionLimits) -> Converted:
    """Convert a message; attachments that have a converter follow as sections, the others by name.

    Raises:
        ConversionError: `damaged` where it is no message, `too_large`, `too_deep`, or `empty`.
    """
    try:
        # Line ends in front are no header, but would end them all.
        message = message_from_bytes(body.lstrip(), partial(_part, count(), url), policy=POLICY)
        return _convert(cast("EmailMessage", message), url, limits)
    except ConversionError:
        raise
    # The standard library raises IndexError, TypeError, LookupError and more for hostile headers.
    except Exception as error:
        said = f"the message cannot be read: {type(error).__name__}: {error}"
        raise ConversionError("damaged", said, url=url) from error


def _part(numbers: Iterator[int], url: str, policy: Policy) -> EmailMessage:
    """A part of a message, as the parser finds it; the first is none."""
    if next(numbers) > _MAX_PARTS:
        raise ConversionError("too_large", f"over {_MAX_PARTS} parts", url=url)
    return EmailMessage(policy)


def _convert(message: EmailMessage, url: str, limits: ConversionLimits) -> Converted:
    said = {name: text for name in _SHOWN if (text := _header(message, name))}
    if not message.keys():
        raise ConversionError("damaged", "no message: it begins with no header", url=url)
    subject = _header(message, "Subject")
    heading = [f"# {escape_inline(subject)}"] if subject else []
    lines = "\\\n".join(f"**{name}:** {escape_inline(text)}" for name, text in said.items())
    parts = Parts(url, limits, warnings=cut_headers(message))
    write_parts(message, parts)
    text = without_surrogates("\n\n".join(filter(None, [*heading, lines, *parts.blocks])))
    markdown, hidden_characters = strip_invisible(text.strip("\n") + "\n")
    if not markdown.strip():
        raise ConversionError("empty", "the message holds no text", url=url)
    metadata = Metadata(
        author=said.get("From", ""),
        published=_day_sent(message),
        media_type=MEDIA_TYPE,
        converter="message",
        hidden_characters=hidden_characters + parts.hidden_characters,
        warnings=tuple(parts.warnings),
    )
    return Converted(
        subject or file_name(url),
        markdown,
        metadata,
        links=document_links(markdown, url),
        pictures=tuple(parts.pictures),
    )


def _header(message: EmailMessage, name: str) -> str:
    """A header as one line, decoded; "" where there is none."""
    return " ".join(without_surrogates(str(message.get(name, ""))).split())


def _day_sent(message: EmailMessage) -> str:
    sent = getattr(message.get("Date"), "datetime", None)
    return sent.date().isoformat() if isinstance(sent, datetime) else ""
