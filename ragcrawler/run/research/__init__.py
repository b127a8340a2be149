"""A research within a crawl: opened with it, and reported at its end."""
