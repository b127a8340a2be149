"""Bounds for the headers of a message: the time to parse one grows with the square of its length."""

from collections.abc import Iterable
from email.message import EmailMessage
from email.policy import EmailPolicy

MAX_CHARACTERS = 16_384
"""Of one header: the addresses of some hundred people."""
MAX_CONTENT_CHARACTERS = 1_000
"""Of one that describes a part: each part of a message may have them."""


def _bound(name: str) -> int:
    return MAX_CONTENT_CHARACTERS if name.lower().startswith("content-") else MAX_CHARACTERS


class _BoundedPolicy(EmailPolicy):
    """The standard library's policy, which parses the beginning of a long header alone."""

    def header_source_parse(self, sourcelines: Iterable[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[: _bound(name)]


POLICY = _BoundedPolicy()


def cut_headers(message: EmailMessage) -> list[str]:
    """The warning about the headers that the policy cut, if there are any."""
    headers = (header for part in message.walk() for header in part.raw_items())
    count = sum(len(str(value)) >= _bound(name) for name, value in headers)
    return [f"{count} headers of the message are too long, and were cut"] if count else []
