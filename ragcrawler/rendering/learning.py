"""What a crawl has learned of pages of one kind."""

from dataclasses import dataclass
from enum import Enum

_TRIALS = 3
_MAX_TEMPLATES = 20_000


class Habit(Enum):
    """What pages of one template are like, as far as is known."""

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

    def habit(self, template: str) -> Habit:
        """The habit of a template, by at least three pages.

        A template always needs its scripts only if every page of it that was looked at was thin, and all that
        were rendered gained: one application among static pages of the same folder must not draw them in.
        """
        known = self._experiences.get(template)
        if known is None or known.rendered < _TRIALS:
            return Habit.UNKNOWN
        if not known.gained:
            return Habit.NEVER_GAINS
        always = known.gained == known.rendered and known.thin == known.looked
        return Habit.ALWAYS_NEEDS if always else Habit.UNKNOWN

    def looked(self, template: str, *, thin: bool) -> None:
        """A page was judged by its static text."""
        experience = self._of(template)
        experience.looked += 1
        experience.thin += thin

    def rendered(self, template: str, *, gained: bool) -> None:
        """A page was rendered, with or without a gain."""
        experience = self._of(template)
        experience.rendered += 1
        experience.gained += gained

    def _of(self, template: str) -> _Experience:
        if template not in self._experiences and len(self._experiences) >= _MAX_TEMPLATES:
            return _Experience()
        return self._experiences.setdefault(template, _Experience())
