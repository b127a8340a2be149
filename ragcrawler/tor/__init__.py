"""Several Tor clients on this machine, each behind an HTTP proxy of its own."""

from ragcrawler.tor.errors import TorError
from ragcrawler.tor.exits import TorExit, TorExits
from ragcrawler.tor.options import TorOptions
from ragcrawler.tor.pool import TorPool

__all__ = ["TorError", "TorExit", "TorExits", "TorOptions", "TorPool"]
