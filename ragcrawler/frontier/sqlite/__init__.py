"""A frontier's state in one SQLite file."""

from ragcrawler.frontier.sqlite.errors import FrontierStateError
from ragcrawler.frontier.sqlite.state import SqliteState

__all__ = ["FrontierStateError", "SqliteState"]
