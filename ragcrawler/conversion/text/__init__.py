"""Formats that are text already: plain text, Markdown, JSON, XML, feeds."""
