"""URLs: canonical form, identity, what is crawled, what is junk, and what became of each."""
