"""A resolver for crawls in tests: it knows this machine, and asks nobody for other names."""

import ipaddress
from typing import Any

from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.error import DNSLookupError


class LoopbackResolver(CachingThreadedResolver):
    """Fails for every name but addresses of this machine, as a name server would for an unknown name."""

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:  # noqa: N802 - Twisted's name
        """The address of a host."""
        try:
            if ipaddress.ip_address(name).is_loopback:
                return defer.succeed(name)
        except ValueError:
            if name == "localhost":
                return defer.succeed("127.0.0.1")
        return defer.fail(DNSLookupError(f"no such host: {name}"))
