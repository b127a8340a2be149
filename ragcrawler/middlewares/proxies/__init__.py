"""Rotate proxies and detect bans."""
