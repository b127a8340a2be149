"""Pages that answer no question: contact, privacy, terms, FAQ stubs and tag listings (specification 000)."""

import re
from collections.abc import Collection, Sequence
from urllib.parse import unquote, urlsplit

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.filters.patterns import compile_pattern

DEFAULT_JUNK_URL_PATTERN = (
    r"(?P<contact>contacts?|contact-?us|contact-(me|form|page|info|information|details|sales|support|team))"
    r"|(?P<privacy>privacy|privacy-?(policy|policies|notice|statement|center|centre|settings|preferences))"
    r"|(?P<terms>terms|terms-?(of)?-?(service|services|use|sale)|terms-?(and|&)?-?conditions)"
    r"|(?P<faq>faqs?|f-a-q|faq-page|frequently-asked-questions)"
    r"|(?P<tag>tags?|tagged|tag-?cloud|tag-archives?)"
)
JUNK = "junk"
"""The reason of pages that are junk."""
UNNAMED = "pattern"
"""The word of what no named group of the pattern matched."""

# `faq.html`, and `faq.en.html` as manuals in several languages have it; `3.11` keeps its dot.
_EXTENSIONS = re.compile(r"(?:\.[a-z][a-z0-9]{0,4}){1,2}\Z")


class JunkFilter:
    """Tells junk by the segments of a URL's path.

    The words of a pattern are the names of its groups.

    Args:
        pattern: matched in full against each segment, which has lost its extension and parameters, is in
            lower case and has "-" for "_"; None for the default, "" finds nothing to be junk.
        kept_words: of the pattern, whose pages are no junk.

    Raises:
        PatternError: the pattern is no regular expression.
        UnknownWordError: the pattern does not have one of these words.
    """

    def __init__(self, pattern: str | None = None, kept_words: Collection[str] = ()) -> None:
        pattern = DEFAULT_JUNK_URL_PATTERN if pattern is None else pattern
        self._pattern = compile_pattern("JUNK_URL_PATTERN", pattern)
        self._finds_any = bool(pattern)
        self._kept = frozenset(kept_words)
        known = sorted(self._pattern.groupindex)
        for word in kept_words:
            if word not in known:
                raise UnknownWordError(word, known)

    def refusal(self, candidate: Candidate) -> str | None:
        """Why a candidate is left out, or None where it is no junk."""
        return JUNK if self.word(candidate.url, below=candidate.below) else None

    def word(self, url: str, *, below: str = "/") -> str:
        """The word of the pattern by which a URL is junk, `UNNAMED` where that has no name; "" for no junk.

        Args:
            url: a canonical URL.
            below: a path prefix whose segments were asked for and are not judged.
        """
        if not self._finds_any:
            return ""
        path = urlsplit(url).path.removeprefix(below)
        found = (self._pattern.fullmatch(_folded(segment)) for segment in path.split("/") if segment)
        words = (match.lastgroup or UNNAMED for match in found if match)
        return next((word for word in words if word not in self._kept), "")


class UnknownWordError(ValueError):
    """A pattern has no word of this name.

    Attributes:
        word: that it does not have.
        known: those that it has.
    """

    def __init__(self, word: str, known: Sequence[str]) -> None:
        super().__init__(f"{word!r} is no named group of the pattern, which has {', '.join(known) or 'none'}")
        self.word = word
        self.known = known


def how_to_keep(words: Collection[str]) -> str:
    """Which setting keeps the pages that are junk by these words of the pattern; settings in backticks."""
    named = [word for word in words if word != UNNAMED]
    if not named:
        return "`JUNK_URL_PATTERN` says which pages are junk."
    return (
        f"`-s JUNK_URL_KEEP={','.join(named)}` keeps these pages; one word alone keeps its own. "
        "`-s JUNK_URL_PATTERN=` keeps all."
    )


def _folded(segment: str) -> str:
    text = unquote(segment.partition(";")[0]).lower().replace("_", "-")
    return _EXTENSIONS.sub("", text)
