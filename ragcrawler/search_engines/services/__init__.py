"""Engines with an interface for programs."""
