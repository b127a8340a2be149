"""Slow down, pause and retry, host by host."""
