"""A research, as it is asked for."""

import hashlib
import re
from dataclasses import dataclass, field

from ragcrawler.research.bounds import ResearchBounds

_SLUG_CHARACTERS = 40


def account_of(research_id: str) -> str:
    """The account in the ledger of calls that pays for a research."""
    return f"research {research_id}"


@dataclass(frozen=True, slots=True)
class ResearchRequest:
    """What to find out, and how far to go.

    Attributes:
        goal: one sentence.
        template: its name.
        urls: to begin with, canonical.
        bounds: how far it goes.
        research_id: of one that goes on; "" for that of goal and template.
        stays_on_domains: whether links to hosts that the user did not name are left alone.
        engines: that are asked its questions, with commas; "" for none.
    """

    goal: str
    template: str
    urls: tuple[str, ...] = ()
    bounds: ResearchBounds = field(default_factory=ResearchBounds)
    research_id: str = ""
    stays_on_domains: bool = False
    engines: str = ""

    @property
    def id(self) -> str:
        """The same goal with the same template is the same research: it goes on where it ended."""
        if self.research_id:
            return self.research_id
        slug = re.sub(r"[^a-z0-9]+", "-", self.goal.lower())[:_SLUG_CHARACTERS].strip("-")
        digest = hashlib.sha256(f"{self.goal}\0{self.template}".encode()).hexdigest()[:8]
        return f"{slug}-{digest}" if slug else digest
