"""Which URL templates need rendering, learned from the pages of a crawl."""

from dataclasses import dataclass
from enum import Enum

_TRIALS = 3
_MAX_TEMPLATES = 20_000


class RenderHistory(Enum):
    """The verdict on the pages of one template so far."""

    UNKNOWN = "unknown"
    ALWAYS_NEEDS = "always needs its scripts"
    NEVER_GAINS = "never gains by its scripts"


@dataclass(slots=True)
class _Experience:
    looked: int = 0
    thin: int = 0
    rendered: int = 0
    gained: int = 0


class TemplateMemory:
    """Remembers by URL template, at most 20,000 of them: a site may have endless folders."""

    def __init__(self) -> None:
        self._experiences: dict[str, _Experience] = {}

    def history(self, template: str) -> RenderHistory:
        """The history of a template, by at least three pages.

        A template always needs its scripts only if every page of it that was looked at was thin, and all that
        were rendered gained: one application among static pages of the same folder must not draw them in.
        """
        known = self._experiences.get(template)
        if known is None or known.rendered < _TRIALS:
            return RenderHistory.UNKNOWN
        if not known.gained:
            return RenderHistory.NEVER_GAINS
        always = known.gained == known.rendered and known.thin == known.looked
        return RenderHistory.ALWAYS_NEEDS if always else RenderHistory.UNKNOWN

    def add_static_page(self, template: str, *, thin: bool) -> None:
        """A page was judged by its static text."""
        experience = self._of(template)
        experience.looked += 1
        experience.thin += thin

    def correct_to_thin(self, template: str) -> None:
        """A page that did not look thin needed its scripts all the same."""
        experience = self._of(template)
        experience.thin = min(experience.thin + 1, experience.looked)

    def add_rendering(self, template: str, *, gained: bool) -> None:
        """A page was rendered, with or without a gain."""
        experience = self._of(template)
        experience.rendered += 1
        experience.gained += gained

    def _of(self, template: str) -> _Experience:
        if template not in self._experiences and len(self._experiences) >= _MAX_TEMPLATES:
            return _Experience()
        return self._experiences.setdefault(template, _Experience())
