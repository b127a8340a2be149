"""Rank the hits of a search: candidates of several rankings, their fusion, word weights."""
