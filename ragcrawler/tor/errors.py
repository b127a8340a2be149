"""Errors of Tor and its proxies."""


class TorError(Exception):
    """Tor could not be started, does not run, or refuses a command; the message says what to do."""
