"""A research, as it is asked for."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

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
        domains: with commas, to which links may lead; "" for all.
        engines: that are asked its questions, with commas; "" for none.
    """

    goal: str
    template: str
    urls: tuple[str, ...] = ()
    bounds: ResearchBounds = field(default_factory=ResearchBounds)
    research_id: str = ""
    domains: str = ""
    engines: str = ""

    @property
    def id(self) -> str:
        """The same goal with the same template is the same research: it goes on where it ended."""
        if self.research_id:
            return self.research_id
        slug = re.sub(r"[^a-z0-9]+", "-", self.goal.lower())[:_SLUG_CHARACTERS].strip("-")
        digest = hashlib.sha256(f"{self.goal}\0{self.template}".encode()).hexdigest()[:8]
        return f"{slug}-{digest}" if slug else digest

    @property
    def stays_on_domains(self) -> bool:
        """Whether links to hosts that the user did not name are left alone."""
        return bool(self.domains)

    @property
    def options(self) -> dict[str, Any]:
        """All but goal and template, as JSON values."""
        places = {"urls": list(self.urls), "domains": self.domains, "search": self.engines}
        return asdict(self.bounds) | places


def arguments_of(options: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of the spider that give these options."""
    bounds = {"pages": "budget_pages", "tokens": "budget_tokens", "dollars": "budget_usd"}
    names = bounds | {"minutes": "budget_minutes"} | {name: name for name in ("depth", "domains", "search")}
    given = {argument: str(options.get(name, "")) for name, argument in names.items()}
    given["urls"] = ",".join(url.replace(",", "%2C") for url in options.get("urls", ()))
    return {argument: value for argument, value in given.items() if value}
