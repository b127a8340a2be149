"""Pages that answer no question: contact, privacy, terms, FAQ stubs and tag listings (specification 000)."""

import re
from urllib.parse import unquote, urlsplit

from ragcrawler.frontier.filters.patterns import compile_pattern

DEFAULT_JUNK_URL_PATTERN = (
    r"contacts?|contact-?us|contact-(me|form|page|info|information|details|sales|support|team)"
    r"|privacy|privacy-?(policy|policies|notice|statement|center|centre|settings|preferences)"
    r"|terms|terms-?(of)?-?(service|services|use|sale)|terms-?(and|&)?-?conditions"
    r"|faqs?|f-a-q|faq-page|frequently-asked-questions"
    r"|tags?|tagged|tag-?cloud|tag-archives?"
)

# `faq.html`, and `faq.en.html` as manuals in several languages have it; `3.11` keeps its dot.
_EXTENSIONS = re.compile(r"(?:\.[a-z][a-z0-9]{0,4}){1,2}\Z")


class JunkFilter:
    """Tells junk by the segments of a URL's path.

    Args:
        pattern: matched in full against each segment, which has lost its extension and parameters, is in
            lower case and has "-" for "_"; "" finds nothing to be junk.
        name: the setting it came from, for the message.

    Raises:
        PatternError: the pattern is no regular expression.
    """

    def __init__(self, pattern: str = DEFAULT_JUNK_URL_PATTERN, *, name: str = "JUNK_URL_PATTERN") -> None:
        self._pattern = compile_pattern(name, pattern) if pattern else None

    def matches(self, url: str, *, below: str = "/") -> str | None:
        """The first segment that is junk, as it stands in the URL, or None.

        Args:
            url: a canonical URL.
            below: a path prefix whose segments were asked for and are not judged.
        """
        if self._pattern is None:
            return None
        path = urlsplit(url).path.removeprefix(below)
        for segment in path.split("/"):
            if segment and self._pattern.fullmatch(_folded(segment)):
                return segment
        return None


def _folded(segment: str) -> str:
    text = unquote(segment.partition(";")[0]).lower().replace("_", "-")
    return _EXTENSIONS.sub("", text)
