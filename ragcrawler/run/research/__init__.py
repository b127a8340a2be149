"""A research within a crawl: opened with it, and reported at its end."""

from ragcrawler.run.research.request import ResearchRequest, arguments_of
from ragcrawler.run.research.research_run import ResearchRun

__all__ = ["ResearchRequest", "ResearchRun", "arguments_of"]
