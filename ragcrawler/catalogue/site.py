"""The site that a document belongs to."""

from urllib.parse import urlsplit


def site_of(url: str) -> str:
    """Host of a canonical URL, with its port where it names one: what a brake or a share is counted by."""
    return urlsplit(url).netloc.rpartition("@")[2]
