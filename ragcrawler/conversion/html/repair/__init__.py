"""Mend markup that misleads its readers, or that only costs them time, before anyone reads the page."""

from ragcrawler.conversion.html.repair.attributes import cap_attributes
from ragcrawler.conversion.html.repair.open_controls import release_content
from ragcrawler.conversion.html.repair.spans import clip_spans

__all__ = ["cap_attributes", "clip_spans", "release_content"]
