"""A power cut at any instant of a program: what it did to its files, and what may be left of that on disk."""
