"""Engines that are read from their pages of results, as a browser shows them."""
