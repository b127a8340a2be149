"""Blocks to Markdown."""
