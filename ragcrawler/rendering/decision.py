"""Whether to render a page: its text, what was learned of its kind, and the budget."""

from enum import Enum
from typing import Literal
from urllib.parse import urlsplit

from ragcrawler.rendering.budget import PageBudget
from ragcrawler.rendering.need import has_gained, needs_scripts
from ragcrawler.rendering.reading import ENOUGH_CHARACTERS, read_page
from ragcrawler.rendering.render_history import RenderHistory, TemplateMemory
from ragcrawler.rendering.url_template import url_template

Mode = Literal["auto", "never", "always"]


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
        return Decision.RENDER if self._budget.take(urlsplit(url).netloc) else Decision.OVER_BUDGET

    def learn(self, url: str, static: bytes, rendered: bytes) -> bool:
        """Compare a page with its rendering; True if the rendering is the one to keep."""
        gained = has_gained(read_page(static), read_page(rendered))
        self._memory.add_rendering(url_template(url), gained=gained)
        return gained

    def failed(self, url: str) -> None:
        """A page could not be rendered, which is no gain either."""
        self._memory.add_rendering(url_template(url), gained=False)

    def _looks_thin(self, template: str, markup: bytes) -> bool:
        # Most pages of a plain site end here, for a hundredth of what the reading costs.
        has_scripts = b"<script" in markup or b"<SCRIPT" in markup
        thin = has_scripts and needs_scripts(read_page(markup, enough_characters=ENOUGH_CHARACTERS))
        self._memory.add_static_page(template, thin=thin)
        return thin
