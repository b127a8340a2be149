"""Rows of the report: words to numbers, a module for each part of it."""
