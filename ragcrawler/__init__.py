"""From websites to answers: crawl, convert, chunk, embed, search."""

__version__ = "0.1.0"
