"""A browser without a network of its own, for pages that need their scripts; nothing is imported before."""
