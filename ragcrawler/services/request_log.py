"""The log of HTTP clients: a line for each request, which for many thousands of requests hides all others."""

import logging

_CLIENTS = ("httpx", "httpx2")  # the latter is what OpenAI's client brings


def silence_request_log() -> None:
    """Let HTTP clients log from WARNING on, unless their level was set."""
    for name in _CLIENTS:
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
