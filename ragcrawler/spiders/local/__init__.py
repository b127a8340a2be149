"""Spiders that fetch nothing: they read what lies on this machine."""
