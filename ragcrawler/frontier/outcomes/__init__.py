"""Decisions about what came of a request, and about pages that name another URL as their own."""
