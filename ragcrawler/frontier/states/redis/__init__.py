"""The state of a frontier in Redis."""

from ragcrawler.frontier.states.redis.errors import RedisStateError
from ragcrawler.frontier.states.redis.server import RedisAddress
from ragcrawler.frontier.states.redis.state import RedisState

__all__ = ["RedisAddress", "RedisState", "RedisStateError"]
