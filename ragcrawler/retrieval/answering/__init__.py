"""Answers with checked quotes."""
