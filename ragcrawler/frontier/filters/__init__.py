"""Filters that say of a URL, before it is fetched, why it is left out."""
