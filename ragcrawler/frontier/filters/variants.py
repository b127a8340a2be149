"""Recognises copies of a site in other languages and versions (`/es/`, `/v1.2/`) by their URLs."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from ragcrawler.frontier.filters.candidate import Candidate
from ragcrawler.frontier.states.protocol import Notes, key64
from ragcrawler.urls.errors import VariantError

Refusal = Literal["other_language", "other_version"]

LATEST = "latest"
_LANGUAGE = re.compile(r"([a-z]{2})(?:[-_]([a-z]{2,4}))?\Z", re.IGNORECASE)
# A bare number is a year or a page; `v2`, `3.11` and `2.x` are versions.
_NUMBERED = re.compile(
    r"(?:v|version-|release-)?(\d{1,4}(?:\.\d{1,4}){1,3})(?:\.x)?\Z|v(\d{1,4})\Z|(\d{1,4})\.x\Z"
)
_RELEASED = {"stable": 3, "latest": 2, "current": 2}
_UNRELEASED = frozenset(["dev", "devel", "main", "master", "next", "nightly", "edge", "unstable", "preview"])
# What tells a mirror stands near the beginning: /docs/en/v1.2/...
_SEGMENTS = 3

Rank = tuple[int, tuple[int, ...]]

_NO_RANK: Rank = (-1, ())
_BEST = "best_version"


def language_of(url: str, *, below: str = "/") -> str:
    """The language that a segment near the beginning of a canonical URL's path names, "" where none does."""
    for segment in _segments(url, below):
        match = _LANGUAGE.match(segment)
        if match and match[1].lower() in LANGUAGES:
            return segment.lower().replace("_", "-")
    return ""


def version_of(url: str, *, below: str = "/") -> str:
    """The version that a segment near the beginning of a canonical URL's path names, "" where none does."""
    return next((segment.lower() for segment in _segments(url, below) if _rank(segment)), "")


@dataclass(frozen=True, slots=True)
class VariantRules:
    """Which mirrors are wanted.

    Attributes:
        languages: BCP 47 tags in lower case, `en` covers `en-us`; empty for all.
        versions: names as they stand in URLs, in lower case, or "latest"; empty for all.
    """

    languages: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    @classmethod
    def parse(cls, languages: str, versions: str) -> "VariantRules":
        """Read lists with commas; "all" and "" are all.

        Raises:
            VariantError: a word is no language tag.
        """
        tags = _words(languages)
        for tag in tags:
            if not _LANGUAGE.match(tag) or tag[:2] not in LANGUAGES:
                raise VariantError(f"languages: {tag!r} is no language tag; write en, or en,pt-br, or all")
        return cls(tags, _words(versions))


class Variants:
    """Says of a URL whether it belongs to a mirror that is not wanted.

    `latest` keeps the best version known beside it: stable, else latest or current, else the highest number.
    It goes by what was seen so far, so that a version met early may be taken in part.
    """

    def __init__(self, rules: VariantRules, notes: Notes) -> None:
        self._rules = rules
        self._notes = notes

    def learn(self, urls: Iterable[str], *, below: str = "/") -> None:
        """Learn which versions there are, before they are judged."""
        if LATEST not in self._rules.versions:
            return
        for url in urls:
            place, rank = _place_and_rank(url, below)
            if rank:
                self._learn(key64(place), rank)

    def refusal(self, candidate: Candidate) -> Refusal | None:
        """Why a candidate is left out, or None where it is not."""
        url, _, language, below = candidate
        if self._rules.languages and not self._is_wanted(language or language_of(url, below=below)):
            return "other_language"
        if self._rules.versions and self._is_other_version(url, below):
            return "other_version"
        return None

    def _is_wanted(self, language: str) -> bool:
        if not language or language == "x-default":
            return True
        return any(language == tag or language.startswith(f"{tag}-") for tag in self._rules.languages)

    def _is_other_version(self, url: str, below: str) -> bool:
        version = version_of(url, below=below)
        if not version or (version in self._rules.versions and version != LATEST):
            return False
        if LATEST not in self._rules.versions:
            return True
        place, rank = _place_and_rank(url, below)
        return rank is not None and rank < (_read(self._notes.get(_BEST, key64(place))) or rank)

    def _learn(self, place: int, rank: Rank) -> None:
        known = self._notes.get(_BEST, place)
        while rank > (_read(known) or _NO_RANK):
            if self._notes.swap(_BEST, place, known, json.dumps(rank)):
                return
            known = self._notes.get(_BEST, place)  # another worker was faster


def _read(text: str | None) -> Rank | None:
    if text is None:
        return None
    level, numbers = json.loads(text)
    return level, tuple(numbers)


def _words(value: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(word.strip().lower() for word in value.split(",") if word.strip()))
    return () if words == ("all",) else words


def _segments(url: str, below: str) -> Iterator[str]:
    path = urlsplit(url).path.removeprefix(below)
    # The last segment names a page: `/download/v2` is one.
    yield from [segment for segment in path.split("/")[:-1] if segment][:_SEGMENTS]


def _place_and_rank(url: str, below: str) -> tuple[str, Rank | None]:
    """The part of the URL before the version, and the version as a rank to compare by."""
    for segment in _segments(url, below):
        if rank := _rank(segment):
            return url.partition(f"/{segment}/")[0], rank
    return "", None


def _rank(segment: str) -> Rank | None:
    name = segment.lower()
    if name in _UNRELEASED:
        return (0, ())
    if name in _RELEASED:
        return (_RELEASED[name], ())
    match = _NUMBERED.match(name)
    if match is None:
        return None
    digits = match[1] or match[2] or match[3]
    return (1, tuple(int(part) for part in digits.split(".")))


# ISO 639-1, without codes that are words of paths more often than languages: as, go, io, or, so, to.
_CODES = """
    aa ab ae af ak am an ar av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
    dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie
    ig ii ik is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg
    mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om os pa pi pl ps pt qu rm rn ro
    ru rw sa sc sd se sg si sk sl sm sn sq sr ss st su sv sw ta te tg th ti tk tl tn tr ts tt tw ty ug
    uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
LANGUAGES = frozenset(_CODES.split())
