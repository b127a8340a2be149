"""Obey robots.txt."""
