"""Commands that work on a whole collection."""
