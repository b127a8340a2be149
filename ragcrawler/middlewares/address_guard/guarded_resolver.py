"""Resolves names for connections, and hands on only addresses that a guard has judged.

The connection goes to the addresses that are handed on; no name server is asked again.
"""

from collections.abc import Sequence
from socket import AF_INET, AddressFamily
from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import IAddress, IHostnameResolver, IHostResolution, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]  # it has no types

from ragcrawler.urls.address_guard import AddressGuard, UnsafeAddressError

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver, ResolveResult


@implementer(IHostnameResolver)
class GuardedResolver:
    """Stands before the reactor's resolver, whichever that is.

    Attributes:
        guards: of the crawls that run in this process; one of them has to admit an address. Without any, the
            reactor is not crawling, and all addresses pass.
    """

    def __init__(self, resolver: Any) -> None:
        self._resolver = resolver
        self.guards: list[AddressGuard] = []

    @classmethod
    def on_reactor(cls, reactor: Any) -> "GuardedResolver":
        """The one of this reactor, put in its place if it is not there.

        The reactor's other, simple resolver is for what is no page: it stays as it is.
        """
        if not isinstance(reactor.nameResolver, cls):
            simple = reactor.resolver
            reactor.installNameResolver(cls(reactor.nameResolver))
            reactor.resolver = simple
        names: GuardedResolver = reactor.nameResolver
        return names

    def resolveHostName(  # noqa: N802 - Twisted's interface
        self,
        resolutionReceiver: Any,  # noqa: N803 - likewise
        hostName: str,  # noqa: N803 - likewise
        portNumber: int = 0,  # noqa: N803 - likewise
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803 - likewise
        transportSemantics: str = "TCP",  # noqa: N803 - likewise
    ) -> IHostResolution:
        """Resolve a name; what is refused looks as if the name were not known."""
        judge = _Judge(resolutionReceiver, tuple(self.guards), hostName, portNumber)
        resolution: IHostResolution = self._resolver.resolveHostName(
            judge, hostName, portNumber, addressTypes, transportSemantics
        )
        return resolution


@implementer(IResolutionReceiver)
class _Judge:
    """Holds the addresses back until all are there."""

    def __init__(self, receiver: Any, guards: tuple[AddressGuard, ...], host: str, port: int) -> None:
        self._receiver = receiver
        self._guards = guards
        self._host = host
        self._port = port
        self._addresses: list[Any] = []

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803 - Twisted's
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: N802 - Twisted's
        self._addresses.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's
        if self._is_admitted():
            for address in self._addresses:
                self._receiver.addressResolved(address)
        self._receiver.resolutionComplete()

    def _is_admitted(self) -> bool:
        addresses = [address.host for address in self._addresses]
        # Each is asked, for each remembers what it refused.
        verdicts = [_admits(guard, self._host, self._port, addresses) for guard in self._guards]
        return any(verdicts) or not verdicts


class GuardedAsyncioResolver:
    """The same before a resolver of aiohttp's, for crawls without a reactor."""

    def __init__(self, resolver: "AbstractResolver", guard: AddressGuard) -> None:
        self._resolver = resolver
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: AddressFamily = AF_INET
    ) -> "list[ResolveResult]":
        """Resolve a name.

        Raises:
            OSError: it is not known, or refused.
        """
        found = await self._resolver.resolve(host, port, family)
        if not _admits(self._guard, host, port, [result["host"] for result in found]):
            raise OSError(f"{host} has an address that is not public")
        return found

    async def close(self) -> None:
        await self._resolver.close()


def _admits(guard: AddressGuard, host: str, port: int, addresses: list[str]) -> bool:
    try:
        guard.check_addresses(host, port, addresses)
    except UnsafeAddressError:
        return False
    return True
