"""The error of a Redis that cannot be worked with."""


class RedisStateError(Exception):
    """Redis cannot be used; the message says where, why, and what to do. It shows no password."""
