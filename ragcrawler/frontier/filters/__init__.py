"""Filters that leave a URL out before it is fetched, each with a reason."""
