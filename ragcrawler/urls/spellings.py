"""Other spellings of URLs that were asked for, as long as it is not known whether a page is there."""

from ragcrawler.urls.identity import url_key


class Spellings:
    """Remembers one other spelling of each page on the way.

    Two spellings are one page by rule, and rules have exceptions: a site may link to `/docs/` and, wrongly,
    to `/docs`. It costs a few bytes for each open URL, and a text where a site spells one in two ways.
    """

    def __init__(self) -> None:
        self._asked: dict[int, int] = {}
        self._others: dict[int, str] = {}

    def ask(self, url: str) -> None:
        """This spelling is asked for."""
        self._asked[hash(url_key(url))] = hash(url)

    def see(self, url: str) -> None:
        """This spelling was found, of a page that is no longer new."""
        key = hash(url_key(url))
        if self._asked.get(key, hash(url)) != hash(url):
            self._others.setdefault(key, url)

    def settle(self, url: str) -> str:
        """The answer came; gives the other spelling, "" where there is none, and forgets both."""
        key = hash(url_key(url))
        self._asked.pop(key, None)
        return self._others.pop(key, "")
