"""A frontier's state in one SQLite file."""

from ragcrawler.frontier.states.sqlite.errors import FrontierStateError
from ragcrawler.frontier.states.sqlite.state import SqliteState

__all__ = ["FrontierStateError", "SqliteState"]
