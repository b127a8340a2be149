"""The one error of the interface for programs."""


class RagcrawlerError(Exception):
    """A crawl or a search could not begin or go on; the message says why, and what to do."""
