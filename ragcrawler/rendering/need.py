"""Whether a page needs its scripts run, and whether that brought anything."""

from ragcrawler.rendering.reading import ENOUGH_CHARACTERS, PageReading

_THIN_CHARACTERS = 200
_PLACEHOLDER_CHARACTERS = 600
_NOTICE_CHARACTERS = 1_000
_LISTING_LINKS = 20
_LINK_WORTH = 25
_GAIN_FACTOR = 1.1
_GAIN_LEAST = 20


def needs_scripts(page: PageReading) -> bool:
    """Whether the text is thin beside the scripts.

    Four signs, each with the amount of text that refutes it: an empty element for an application, a filled
    one (a spinner, a heading), a notice to switch scripts on, hardly any text at all. A list of links is
    content too, so it refutes the last. A page without scripts has nothing to run.
    """
    if not page.scripts:
        return False
    return (
        (page.has_empty_root and page.characters < ENOUGH_CHARACTERS)
        or (page.has_root and page.characters < _PLACEHOLDER_CHARACTERS)
        or (page.asks_for_scripts and page.characters < _NOTICE_CHARACTERS)
        or (page.characters < _THIN_CHARACTERS and page.links < _LISTING_LINKS)
    )


def has_gained(static: PageReading, rendered: PageReading) -> bool:
    """Whether the rendered page has a tenth more content; a link counts as 25 characters of text."""
    return _worth(rendered) > _GAIN_FACTOR * _worth(static) + _GAIN_LEAST


def _worth(page: PageReading) -> int:
    return page.characters + page.link_characters + _LINK_WORTH * page.links
