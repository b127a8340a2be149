"""Clean text: remove invisible characters (zero-width, tags, soft hyphens, overrides), repair surrogates."""

import re

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e01ef]"
    # joiners shape Persian, Indic and emoji text; between ASCII characters they only hide something
    "|(?<=[\x00-\x7f])[\u200c\u200d](?=[\x00-\x7f]|$)"
)


def without_surrogates(text: str) -> str:
    """The text with halves that make a pair joined, and each other half as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def strip_invisible(text: str) -> tuple[str, int]:
    """The text without invisible characters, and how many there were."""
    return ("", 0) if not text else _INVISIBLE.subn("", text)
