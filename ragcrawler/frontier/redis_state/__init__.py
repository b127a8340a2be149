"""The state of a frontier in Redis."""

from ragcrawler.frontier.redis_state.errors import RedisStateError
from ragcrawler.frontier.redis_state.server import RedisAddress
from ragcrawler.frontier.redis_state.state import RedisState

__all__ = ["RedisAddress", "RedisState", "RedisStateError"]
