"""Decisions after a request: failures, canonical URLs, soft 404 pages."""
