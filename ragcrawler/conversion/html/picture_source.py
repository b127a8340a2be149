"""Where a picture is: pages that load pictures late keep the address in other attributes."""

import re
from itertools import islice

from lxml import html

_MOST_SOURCES = 32
_LATE = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src", "data-actualsrc")
_LATE_SETS = ("data-srcset", "data-lazy-srcset")
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:placeholder|blank|spacer|transparent|pixel|1x1|lazy-?load(?:ing)?|loading|grey|gray)"
    r"(?:[_.-][\w-]{0,20})?\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(?<!\s)\s++\d++(?:\.\d++)?[wx](?:[,\s]|$)")


def picture_source(element: html.HtmlElement) -> str:
    """The address of an `img`, as written; "" where it has none that could be fetched.

    A placeholder counts only where there is nothing else.
    """
    shown = [element.get("src", ""), element.get("srcset", "")]
    late = [element.get(name, "") for name in (*_LATE, *_LATE_SETS)]
    picture = next(element.iterancestors("picture"), None)  # its sources: the parser nests what follows them
    if picture is not None:
        sources = islice(picture.iter("source"), _MOST_SOURCES)
        late.extend(source.get("srcset") or source.get("data-srcset", "") for source in sources)
    found = [address for written in (*shown, *late) if (address := _first(written))]
    real = (address for address in found if not _PLACEHOLDER.search(address))
    return next(real, "") or next(iter(found), "")


def _first(written: str) -> str:
    """The first address of a set such as `a.jpg 1x, b.jpg 2x`, or the only one."""
    written = written.strip()
    if _SIZE.search(written):
        written = written.split(None, 1)[0].rstrip(",")
    return "" if written.startswith(("data:", "blob:")) else written
