"""The `<link>` elements of a page: its canonical URL, its translations, its feeds."""

from collections.abc import Set as AbstractSet

_FEED_TYPES = {"application/rss+xml", "application/atom+xml"}
_MAX_CANONICAL = 3
_MAX_FEEDS = 3
_MAX_LANGUAGES = 500


class NamedLinks:
    """References as they are written, in document order, bounded however many there are.

    Attributes:
        canonical: of `rel=canonical`; several that differ contradict each other.
        languages: of `rel=alternate hreflang=...`, with the language in lower case.
        feeds: of `rel=alternate` with the media type of RSS or Atom.
    """

    def __init__(self) -> None:
        self.canonical: dict[str, None] = {}
        self.languages: dict[str, str] = {}
        self.feeds: dict[str, None] = {}

    def take(self, attributes: dict[str, str], relations: AbstractSet[str]) -> None:
        reference = attributes.get("href", "").strip().partition("#")[0]
        if not reference:
            return
        if "canonical" in relations and len(self.canonical) < _MAX_CANONICAL:
            self.canonical[reference] = None
        elif is_translation(attributes) and len(self.languages) < _MAX_LANGUAGES:
            self.languages.setdefault(reference, attributes["hreflang"].strip().lower())
        elif _is_feed(attributes, relations) and len(self.feeds) < _MAX_FEEDS:
            self.feeds[reference] = None


def is_translation(attributes: dict[str, str]) -> bool:
    """Whether a `<link>` names the same page in a language."""
    return bool(attributes.get("hreflang")) and "alternate" in attributes.get("rel", "").lower().split()


def _is_feed(attributes: dict[str, str], relations: AbstractSet[str]) -> bool:
    return "alternate" in relations and attributes.get("type", "").strip().lower() in _FEED_TYPES
