"""A frontier's state in SQLite: a file, or in memory."""

from ragcrawler.frontier.states.sqlite.errors import FrontierStateError
from ragcrawler.frontier.states.sqlite.state import SqliteState

__all__ = ["FrontierStateError", "SqliteState"]
