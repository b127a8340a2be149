"""URLs that differ in a slash, case or index.html and lead to one page: assumed by rule, and tested."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from ragcrawler.frontier.states.protocol import Notes, UrlRecords, key64
from ragcrawler.frontier.target import Target
from ragcrawler.urls.identity import Rule, broken_rule, exact_key, url_key

# A rule holds on a site after so many pairs of URLs gave the same text, and none another.
_TRIALS = 3
_MAX_DEFERRED = 1_000  # spellings of a site that wait for the end of the trials
_MAX_TEXTS = 1_000  # texts of a site that are remembered to be compared
_MAX_JOINED = 100_000  # spellings that are counted once each

_ASKED = "asked_spelling"
_OTHER = "other_spelling"
_FIRST = "first_spelling"
_APART = "apart"
_TEXT = "page_text"
_TRIAL = "trial"
_TRIED_BY = "tried_by"
_STARTED = "trials"
_SAME = "same_text"
_DIFFERENT = "other_text"
_DEFERRED = "deferred"
_JOINED = "joined"


class _Trial(NamedTuple):
    """A spelling that is compared with the one that was first."""

    other: int
    place: int


class Spellings:
    """Knows the record of each URL, and finds out whether a site keeps to the rules.

    `www.`, the order of parameters and what looks like a session id usually make no other page. On each site
    the first spellings that one of these rules would join are asked for like pages, and compared. From then
    on they are joined, or each is a page of its own.

    Args:
        notes: keep what was found out.
        records: say whether a page is still asked for.
    """

    def __init__(self, notes: Notes, records: UrlRecords) -> None:
        self._notes = notes
        self._records = records

    def key(self, url: str) -> int:
        """The key of the URL's record."""
        exact = _exact(url)
        return exact if self._notes.has_member(_APART, 0, exact) else _loose(url)

    def is_apart(self, url: str) -> bool:
        """Whether the URL has a record of its own, beside the one of its key."""
        return self._notes.has_member(_APART, 0, _exact(url))

    def holds(self, rule: Rule, url: str) -> bool:
        """Whether the URL's site was found to keep to a rule."""
        place = _place(rule, url)
        return self._notes.counter(_SAME, place) >= _TRIALS and not self._notes.counter(_DIFFERENT, place)

    def redirected(self, target: Target, url: str) -> Target:
        """The target with another URL."""
        keeps_session = not self.holds("session", url)
        return replace(target, url=url, is_apart=self.is_apart(url), keeps_session=keeps_session)

    def ask(self, url: str) -> None:
        """This spelling is asked for. Most pages are asked for by their first, which is known."""
        self.set_reference(url)
        if url != self._first(url):
            self._notes.put(_ASKED, self.key(url), url)

    def set_reference(self, url: str) -> None:
        """This spelling is the one that others are compared with."""
        if exact_key(url) != url_key(url) and not self.is_apart(url):
            self._notes.put(_FIRST, _loose(url), exact_key(url))

    def settle(self, url: str) -> str:
        """The answer came; gives another spelling that was joined, "" where there is none."""
        key = self.key(url)
        self._notes.pop(_ASKED, key)
        return self._notes.pop(_OTHER, key) or ""

    def set_apart(self, url: str) -> bool:
        """Give a URL a record of its own; whether it is another spelling of a known page."""
        is_other = self._first(url) != exact_key(url)
        if is_other:
            self.separate(url)
        return is_other

    def separate(self, url: str) -> None:
        """Give a URL a record of its own, for that of its key is another page's."""
        self._notes.add_member(_APART, 0, _exact(url))

    def try_out(self, target: Target) -> bool:
        """Whether a spelling of a known page has to be asked for; if so it has a record of its own."""
        url, first = target.url, self._first(target.url)
        if first == exact_key(url) or self.is_apart(url):
            self._join(url, first)
            return False
        place = _place(broken_rule(url, first), url)
        if self._notes.counter(_DIFFERENT, place):
            return self.set_apart(url)
        if self._notes.counter(_STARTED, place) < _TRIALS and self._notes.count(_STARTED, place) <= _TRIALS:
            self._notes.put(_TRIAL, _exact(url), f"{_loose(url)} {place}")
            return self.set_apart(url)
        self._join(url, first)
        if self._notes.counter(_SAME, place) < _TRIALS and self._notes.size(_DEFERRED, place) < _MAX_DEFERRED:
            self._notes.add_member(_DEFERRED, place, key64(url))
            self._notes.put(f"{_DEFERRED} {place}", key64(url), target.to_json())
        return False

    def joined_count(self) -> int:
        """How many spellings passed for a page that was asked for by another."""
        return self._notes.size(_JOINED, 0)

    def wants_text(self, url: str) -> bool:
        """Whether the text of a page may have to be compared."""
        is_tried = self._notes.get(_TRIAL, self.key(url)) is not None
        return is_tried or self._notes.counter(_TEXT, key64(_site(url))) < _MAX_TEXTS

    def compare(self, url: str, text: int) -> tuple[bool, list[Target]]:
        """Learn the text of a page.

        Returns:
            whether it is that of the spelling that was first, and the targets that turn out to be pages of
            their own.
        """
        key = self.key(url)
        self._notes.put(_TEXT, key, str(text))
        self._notes.count(_TEXT, key64(_site(url)))
        if trial := _read(self._notes.pop(_TRIAL, key)):
            first = self._notes.get(_TEXT, trial.other)
            if first is None:
                self._notes.put(_TRIED_BY, trial.other, f"{key} {trial.place}")
                return False, []
            return first == str(text), self._judge(trial.place, is_same=first == str(text))
        if trial := _read(self._notes.pop(_TRIED_BY, key)):
            return False, self._judge(trial.place, is_same=self._notes.get(_TEXT, trial.other) == str(text))
        return False, []

    def add_redirect(self, url: str, final_url: str) -> None:
        """A spelling leads to another: where that is of the same page, they are one."""
        trial = _read(self._notes.pop(_TRIAL, _exact(url)))
        if trial and url_key(url) == url_key(final_url):
            self._judge(trial.place, is_same=True)

    def _judge(self, place: int, *, is_same: bool) -> list[Target]:
        if self._notes.count(_SAME if is_same else _DIFFERENT, place) < _TRIALS and is_same:
            return []
        released = [Target.from_json(text) for text in self._notes.texts(f"{_DEFERRED} {place}")]
        for target in released:
            self._notes.pop(f"{_DEFERRED} {place}", key64(target.url))
        return [] if is_same else released

    def _join(self, url: str, first: str) -> None:
        key = self.key(url)
        asked = self._notes.get(_ASKED, key)
        if url == (asked or first):
            return  # most links
        if self._notes.get(_OTHER, key) is None and (asked or self._is_open(key)):
            self._notes.swap(_OTHER, key, None, url)
        self._notes.add_member(_JOINED, 0, key64(url), _MAX_JOINED)

    def _is_open(self, key: int) -> bool:
        record = self._records.get(key)
        return record is not None and record.status == "open"

    def _first(self, url: str) -> str:
        return self._notes.get(_FIRST, _loose(url)) or url_key(url)


# A site's navigation stands on each of its pages.
@lru_cache(maxsize=8192)
def _loose(url: str) -> int:
    return key64(url_key(url))


@lru_cache(maxsize=8192)
def _exact(url: str) -> int:
    return key64(f"={exact_key(url)}")


def _place(rule: Rule, url: str) -> int:
    return key64(f"{rule} {_site(url)}")


def _site(url: str) -> str:
    return urlsplit(url_key(url)).netloc


def _read(text: str | None) -> _Trial | None:
    if text is None:
        return None
    other, place = text.split()
    return _Trial(int(other), int(place))
