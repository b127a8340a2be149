"""Commands that serve a collection to others."""
