"""Detect the media type and the character encoding of a body."""
