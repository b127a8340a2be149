"""The error of a Redis that cannot be worked with."""

from ragcrawler.frontier.states.sqlite import FrontierStateError


class RedisStateError(FrontierStateError):
    """Redis cannot be used; the message says where, why, and what to do. It shows no password."""
