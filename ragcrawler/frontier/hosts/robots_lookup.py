"""The `RobotsLookup` Protocol: robots.txt for the rest of a crawl."""

from typing import Protocol


class RobotsLookup(Protocol):
    """The robots.txt of every host, each fetched once."""

    async def sitemaps(self, url: str) -> tuple[str, ...]:
        """The `Sitemap` lines of the robots.txt of a URL's host, as written there, each once.

        Fetches the file if that was not done yet; empty if that fails or it names none.
        """

    def forbids(self, url: str) -> bool:
        """Whether a URL may not be fetched, by what is known already; nothing is asked for."""


class NoRobots:
    """For a crawl that asks no robots.txt."""

    async def sitemaps(self, url: str) -> tuple[str, ...]:  # noqa: ARG002 - the Protocol's signature
        """None."""
        return ()

    def forbids(self, url: str) -> bool:  # noqa: ARG002 - likewise
        """Nothing."""
        return False
