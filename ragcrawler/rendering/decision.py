"""Whether to render a page: its text, what was learned of its kind, and the budget."""

import re
from enum import Enum
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from ragcrawler.rendering.budget import PageBudget
from ragcrawler.rendering.reading import ENOUGH_CHARACTERS, PageReading, read_page
from ragcrawler.rendering.render_history import RenderHistory, TemplateMemory

_THIN_CHARACTERS = 200
_PLACEHOLDER_CHARACTERS = 600
_NOTICE_CHARACTERS = 1_000
_LISTING_LINKS = 20
_INDEX_LINKS = 3
_FEW_SCRIPTS = 6
_WEAK_CHARACTERS = 6_000
_CHARACTERS_PER_SCRIPT = 300
_LINK_WORTH = 25
_GAIN_FACTOR = 1.1
_GAIN_LEAST = 20
_NUMBER = re.compile(r"\d+")
Mode = Literal["auto", "never", "always"]


def needs_scripts(page: PageReading) -> bool:
    """Whether the text is thin beside the scripts.

    Four signs, each with the amount of text that refutes it: an empty element for an application, a filled
    one (a spinner, a heading), a notice to switch scripts on, hardly any text at all. A list of links is
    content too, so it refutes the last, and so do a picture or a short index where there is nothing for
    the few scripts to fill. A page without scripts has nothing to run.
    """
    if not page.scripts:
        return False
    return (
        (page.has_empty_root and page.characters < ENOUGH_CHARACTERS)
        or (page.has_root and page.characters < _PLACEHOLDER_CHARACTERS)
        or (page.asks_for_scripts and page.characters < _NOTICE_CHARACTERS)
        or (page.characters < _THIN_CHARACTERS and page.links < _LISTING_LINKS and not _is_short(page))
    )


def speaks_for_scripts(page: PageReading) -> bool:
    """Whether the markup of a page whose content was hardly found says that scripts bring it.

    An empty element for an application, a notice to switch scripts on, or an empty part beside scripts that
    weigh more than the text. Text refutes it as in `needs_scripts`, but more of it: around the empty place of
    the content may stand menus and footers that nothing marks as such.
    """
    if not page.scripts or page.characters >= _WEAK_CHARACTERS:
        return False
    is_scripted = page.has_slot and page.characters < _CHARACTERS_PER_SCRIPT * page.scripts
    return page.has_empty_root or page.asks_for_scripts or is_scripted


def _is_short(page: PageReading) -> bool:
    """Whether a page of little text shows all there is: a diagram, a short index."""
    has_content = page.pictures > 0 or page.own_links >= _INDEX_LINKS
    return has_content and not page.has_slot and page.scripts <= _FEW_SCRIPTS


def has_gained(static: PageReading, rendered: PageReading) -> bool:
    """Whether the rendered page has a tenth more content; a link counts as 25 characters of text."""
    return _worth(rendered) > _GAIN_FACTOR * _worth(static) + _GAIN_LEAST


def _worth(page: PageReading) -> int:
    return page.characters + page.link_characters + _LINK_WORTH * page.links


def url_template(url: str) -> str:
    """Host, folders with numbers made alike, the last segment's extension, the names of the parameters.

    `https://a.org/shop/12/lamp-3.html?id=4` gives `a.org/shop/#/*.html?id`: pages that one program makes
    differ in their last segment, in numbers, and in the values of parameters.
    """
    parts = urlsplit(url)
    folders, _, last = parts.path.rpartition("/")
    extension = last[last.rfind(".") :] if "." in last else ""
    names = "&".join(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))
    path = f"{_NUMBER.sub('#', folders)}/{'*' if last else ''}{extension}"
    return f"{parts.netloc}{path}{'?' if names else ''}{names}"


class Decision(Enum):
    """The decision about a page; the values are the words of the statistics."""

    STATIC = "static"
    RENDER = "rendered"
    NEVER_GAINS = "never_gains"
    OVER_BUDGET = "over_budget"


class RenderPolicy:
    """Decides page by page, and learns.

    Args:
        mode: "always" renders whatever the budget allows; "never" nothing.
        budget: of this crawl.
    """

    def __init__(self, mode: Mode, budget: PageBudget) -> None:
        self._mode = mode
        self._budget = budget
        self._memory = TemplateMemory()

    def decide(self, url: str, markup: bytes) -> Decision:
        """Judge a static page; one that is to be rendered is taken from the budget."""
        if self._mode == "never":
            return Decision.STATIC
        if self._mode == "auto":
            template = url_template(url)
            history = self._memory.history(template)
            if history is not RenderHistory.ALWAYS_NEEDS and not self._looks_thin(template, markup):
                return Decision.STATIC
            if history is RenderHistory.NEVER_GAINS:
                return Decision.NEVER_GAINS
        return self._within_budget(url)

    def decide_weak(self, url: str, markup: bytes) -> Decision:
        """Judge a page that was not rendered, and whose content was hardly found."""
        if self._mode == "never" or not speaks_for_scripts(read_page(markup)):
            return Decision.STATIC
        if self._memory.history(url_template(url)) is RenderHistory.NEVER_GAINS:
            return Decision.NEVER_GAINS
        return self._within_budget(url)

    def learn_weak(self, url: str, *, gained: bool) -> None:
        """Whether the content of a weak page was found better in its rendering."""
        template = url_template(url)
        self._memory.add_rendering(template, gained=gained)
        if gained:
            self._memory.correct_to_thin(template)

    def _within_budget(self, url: str) -> Decision:
        return Decision.RENDER if self._budget.take(urlsplit(url).netloc) else Decision.OVER_BUDGET

    def learn(self, url: str, static: bytes, rendered: bytes) -> bool:
        """Compare a page with its rendering; True if the rendering is the one to keep."""
        gained = has_gained(read_page(static), read_page(rendered))
        self._memory.add_rendering(url_template(url), gained=gained)
        return gained

    def record_failure(self, url: str) -> None:
        """A page could not be rendered, which is no gain either."""
        self._memory.add_rendering(url_template(url), gained=False)

    def _looks_thin(self, template: str, markup: bytes) -> bool:
        # Most pages of a plain site end here, for a hundredth of what the reading costs.
        has_scripts = b"<script" in markup or b"<SCRIPT" in markup
        thin = has_scripts and needs_scripts(read_page(markup, enough_characters=ENOUGH_CHARACTERS))
        self._memory.add_static_page(template, thin=thin)
        return thin
