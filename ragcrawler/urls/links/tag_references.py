"""The references in the tags of a page, as they are written there."""

import re
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime

from ragcrawler.urls.links.start_tags import StartTag
from ragcrawler.urls.robots.directives import NO_DIRECTIVES, RobotsDirectives, meta_directives

_FEED_TYPES = {"application/rss+xml", "application/atom+xml"}
_MAX_CANONICAL = 3
_MAX_FEEDS = 3
_MAX_LANGUAGES = 500
# Possessive: a page may send megabytes of spaces.
_REFRESH = re.compile(r"\s*+[0-9.]*+\s*+[;,]\s*+(?:url\s*+=\s*+)?[\"']?([^\"']+)", re.IGNORECASE)
_WHITE_SPACE = " \t\r\n\f"
_NO_RELATIONS: frozenset[str] = frozenset()


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


class PageReferences:
    """Collects references from tags, up to a bound.

    Args:
        max_links: distinct references that are kept, of both kinds together.
        product_token: of this crawler, for meta tags that speak to it alone.

    Attributes:
        followed: references that a crawler may follow, in document order.
        nofollow: those that only links with `rel=nofollow` have.
        cut: references behind the first `max_links`.
        base: of `<base href>`, None where there is none.
        named: what `<link>` elements name.
        robots: what the robots meta tags ask for.
    """

    def __init__(self, max_links: int, product_token: str) -> None:
        self.followed: dict[str, None] = {}
        self.nofollow: dict[str, None] = {}
        self.cut = 0
        self.base: str | None = None
        self.named = NamedLinks()
        self.robots: RobotsDirectives = NO_DIRECTIVES
        self._max_links = max_links
        self._robots_names = {"robots", product_token.lower()} - {""}

    def take(self, tag: StartTag) -> None:
        attributes = tag.attributes()
        relations = set(attributes["rel"].lower().split()) if "rel" in attributes else _NO_RELATIONS
        if tag.name == "link":
            self.named.take(attributes, relations)
        elif tag.name == "meta" and attributes.get("name", "").strip().lower() in self._robots_names:
            self.robots |= meta_directives(attributes.get("content", ""), datetime.now(UTC))
        elif tag.name == "base":
            self.base = attributes.get("href") if self.base is None else self.base
            return
        # Two links into one page are one link, and most pages have many into themselves.
        reference = _reference(tag.name, attributes, relations).strip(_WHITE_SPACE).partition("#")[0]
        if reference and reference not in self.followed:
            self._keep(reference, is_nofollow="nofollow" in relations)

    def _keep(self, reference: str, *, is_nofollow: bool) -> None:
        if reference in self.nofollow:
            if not is_nofollow:
                del self.nofollow[reference]
                self.followed[reference] = None
        elif len(self.followed) + len(self.nofollow) < self._max_links:
            (self.nofollow if is_nofollow else self.followed)[reference] = None
        else:
            self.cut += 1


def _reference(name: str, attributes: dict[str, str], relations: set[str] | frozenset[str]) -> str:
    if name in ("a", "area"):
        return attributes.get("href", "")
    if name == "frame":
        return attributes.get("src", "")
    if name == "link" and (relations & {"next", "prev"} or is_translation(attributes)):
        return attributes.get("href", "")
    if name == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
        match = _REFRESH.match(attributes.get("content", ""))
        return match.group(1) if match else ""
    return ""
