"""A research while it runs, as a terminal and a browser show it."""

from ragcrawler.research.report.live.state import LiveState, QuestionState
from ragcrawler.research.report.live.terminal import live_terminal

__all__ = ["LiveState", "QuestionState", "live_terminal"]
