"""Addresses of one kind have one template."""

import re
from urllib.parse import parse_qsl, urlsplit

_NUMBER = re.compile(r"\d+")


def url_template(url: str) -> str:
    """Host, folders with numbers made alike, the last segment's extension, the names of the parameters.

    `https://a.org/shop/12/lamp-3.html?id=4` gives `a.org/shop/#/*.html?id`: pages that one program makes
    differ in their last segment, in numbers, and in the values of parameters.
    """
    parts = urlsplit(url)
    folders, _, last = parts.path.rpartition("/")
    extension = last[last.rfind(".") :] if "." in last else ""
    names = "&".join(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))
    path = f"{_NUMBER.sub('#', folders)}/{'*' if last else ''}{extension}"
    return f"{parts.netloc}{path}{'?' if names else ''}{names}"
