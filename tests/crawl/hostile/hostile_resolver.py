"""A name server that answers with an address of the crawler's own network."""

import ipaddress
from typing import Any

from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.error import DNSLookupError


class HostileResolver(CachingThreadedResolver):
    """Knows addresses of this machine, and `trap.` names, which lead to it; no other name."""

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:  # noqa: N802 - Twisted's name
        """The address of a host."""
        if name.startswith("trap."):
            return defer.succeed("127.0.0.1")
        if name.replace(".", "").isdecimal() and ipaddress.ip_address(name).is_loopback:
            return defer.succeed(name)
        return defer.fail(DNSLookupError(f"no such host: {name}"))
