"""Markdown to elements and sections."""
