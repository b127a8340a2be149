"""Other spellings of URLs that were asked for, as long as it is not known whether a page is there."""

from ragcrawler.frontier.state import Notes, key64
from ragcrawler.urls.identity import url_key

_ASKED = "asked_spelling"
_OTHER = "other_spelling"


class Spellings:
    """Remembers one other spelling of each page on the way.

    Two spellings are one page by rule, and rules have exceptions: a site may link to `/docs/` and, wrongly,
    to `/docs`.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    def ask(self, url: str) -> None:
        """This spelling is asked for."""
        self._notes.put(_ASKED, key64(url_key(url)), url)

    def note(self, url: str) -> None:
        """This spelling was found, of a page that is no longer new."""
        key = key64(url_key(url))
        if (self._notes.get(_ASKED, key) or url) != url and self._notes.get(_OTHER, key) is None:
            self._notes.put(_OTHER, key, url)

    def settle(self, url: str) -> str:
        """The answer came; gives the other spelling, "" where there is none, and forgets both."""
        key = key64(url_key(url))
        self._notes.pop(_ASKED, key)
        return self._notes.pop(_OTHER, key) or ""
