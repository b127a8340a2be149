"""A page whose scripts were run after its conversion found little."""

from dataclasses import dataclass
from typing import Protocol

from ragcrawler.items import Page
from ragcrawler.urls.links.page_links import PageLinks


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """The page as a browser shows it.

    Attributes:
        page: with the rendered markup.
        links: of it, as far as the robots tags let follow.
    """

    page: Page
    links: PageLinks


class WeakPageRenderer(Protocol):
    """Gives weak pages to a browser.

    Attributes:
        min_quality: of a conversion that is good enough.
    """

    min_quality: float

    async def render(self, page: Page) -> RenderedPage | None:
        """The page after its scripts; None where it stays as it is."""

    def learn(self, page: Page, *, gained: bool) -> None:
        """Enter whether the rendering that `render` gave was the better page."""
