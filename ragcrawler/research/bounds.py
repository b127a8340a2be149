"""When a research is over."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ResearchBounds:
    """How far a research goes; 0 is no bound.

    Attributes:
        depth: links followed from a named URL, and questions asked below a seed question.
        pages: that are read.
        tokens: of the language model.
        dollars: for the language model.
        minutes: of this run.
        new_facts: a research ends when the last `window` pages gave on average fewer.
        window: pages.
    """

    depth: int = 3
    pages: int = 0
    tokens: int = 0
    dollars: float = 0.0
    minutes: float = 0.0
    new_facts: float = 0.05
    window: int = 40


class ResearchProgress:
    """Counts pages and new facts, and says which bound is reached.

    Args:
        bounds: of the research.
        pages: read by earlier runs.
        clock: seconds that only grow.
    """

    def __init__(
        self, bounds: ResearchBounds, pages: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._bounds = bounds
        self._clock = clock
        self._began = clock()
        self._recent: deque[int] = deque(maxlen=bounds.window)
        self.pages = pages
        self.is_over_budget = False

    def add_page(self, new_facts: int) -> None:
        """Count a page that was read."""
        self.pages += 1
        self._recent.append(new_facts)

    @property
    def end_reason(self) -> str:
        """Which bound is reached; "" for none."""
        bounds = self._bounds
        if self.is_over_budget:
            return "model_budget"
        if bounds.pages and self.pages >= bounds.pages:
            return "page_budget"
        if bounds.minutes and self._clock() - self._began >= bounds.minutes * 60:
            return "time_budget"
        is_full = len(self._recent) == self._recent.maxlen
        if is_full and sum(self._recent) < bounds.new_facts * bounds.window:
            return "nothing_new"
        return ""
