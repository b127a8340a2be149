"""Crawls that were broken off: their state, its lock, and what their earlier runs left."""
