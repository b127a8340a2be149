"""The cache of vectors."""
