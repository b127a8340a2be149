"""Render pages that need JavaScript."""
