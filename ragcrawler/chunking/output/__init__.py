"""Finish chunks: ids, headings, links, overlap, embedded text."""
