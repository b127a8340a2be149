"""Keeps a crawl from being sent to addresses that only its owner can reach (server-side request forgery)."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Literal

from ragcrawler.urls.canonical import host_and_port
from ragcrawler.urls.errors import UrlError
from ragcrawler.urls.host import canonical_host, is_ip_address

# All unicast addresses that are routed on the internet (RFC 4291, section 2.4).
_UNICAST = IPv6Network("2000::/3")
# The well-known prefix of translators (RFC 6052); the one for local use (RFC 8215) lies outside of the above.
_NAT64 = IPv6Network("64:ff9b::/96")
# Blocks of IPv4 that the standard library of Python 3.11 takes for public.
_NOT_PUBLIC = (
    # A virtual address within Azure's networks that is taken from a public range: its machines answer there
    # with certificates and settings.
    IPv4Network("168.63.129.16/32"),
    IPv4Network("192.0.0.0/24"),  # for protocols (RFC 6890); Oracle's cloud answers with credentials at .192
    IPv4Network("192.88.99.0/24"),  # relays of 6to4, withdrawn (RFC 7526)
)
# For documentation (RFC 9637); the standard library of Python 3.11 takes it for public.
_DOCUMENTATION = IPv6Network("3fff::/20")
AddressReason = Literal["unsafe_url", "private_address"]
Endpoint = tuple[str, int]
"""A canonical host, without brackets, and a port."""
# Parsers disagree on what these mean, and on which host is meant then.
_AMBIGUOUS = re.compile(r"[\x00-\x20\x7f\\]")
# Names with a meaning only inside of a network: RFC 6761, 6762, 7686 (onion) and 8375, ICANN's reservation of
# `internal`, and those it holds back because private networks use them; of Kubernetes, Consul and Docker; and
# names that lead to a cloud's metadata although they look public. Where a proxy resolves, no address is seen.
_LOCAL_NAME = re.compile(
    r"(?:^|\.)(?:localhost|local|localdomain|internal|intranet|intra|private|lan|corp|home|home\.arpa|onion"
    r"|svc|default|consul|docker|metadata\.tencentyun\.com|metadata\.platformequinix\.com)\Z"
)
_DEFAULT_PORTS = (80, 443)


def is_public_address(address: str) -> bool:
    """Whether a connection to an address leaves for the public internet, IPv4 within IPv6 unwrapped.

    Not public: private, loopback, link-local (clouds answer with credentials there), shared, reserved,
    documentation, multicast and unspecified addresses, each also in its IPv4-mapped, NAT64, 6to4 and Teredo
    form; text that is no address.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return _is_public_v4(parsed) if isinstance(parsed, IPv4Address) else _is_public_v6(parsed)


def _is_public_v4(address: IPv4Address) -> bool:
    return (
        address.is_global and not address.is_multicast and not any(address in block for block in _NOT_PUBLIC)
    )


def _is_public_v6(address: IPv6Address) -> bool:
    if address.ipv4_mapped is not None:
        return _is_public_v4(address.ipv4_mapped)
    if address in _NAT64:
        return _is_public_v4(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address.sixtofour is not None:
        return _is_public_v4(address.sixtofour)
    # Teredo (2001::/32) is none of the global ones.
    return address in _UNICAST and address.is_global and address not in _DOCUMENTATION


class UnsafeAddressError(ValueError):
    """An address that is not visited.

    Attributes:
        reason: a short word to count by.
    """

    def __init__(self, reason: AddressReason, message: str) -> None:
        super().__init__(message)
        self.reason: AddressReason = reason


class AddressGuard:
    """Judges a URL by its text, and a connection by all addresses that its name resolved to.

    The judgement binds only where the connection then goes to one of the judged addresses, without a second
    look-up: a name server may answer the next question otherwise.

    Args:
        named: URLs that the operator named. Their exact host and port may be private; a URL without a port
            names the default ports of http and https.
        proxies: URLs of proxies: connections may go there, requests may not.
    """

    def __init__(self, named: Iterable[str] = (), proxies: Iterable[str] = ()) -> None:
        self._named = {endpoint for url in named for endpoint in _endpoints(url)}
        self._proxies = frozenset(endpoint_of(*host_and_port(url)) for url in proxies)
        self._refused: set[Endpoint] = set()
        self._seen_public: set[Endpoint] = set()

    def name(self, url: str) -> None:
        """The operator names one more.

        Raises:
            UrlError: it is no http or https URL.
        """
        self._named.update(_endpoints(url))

    def check_url(self, url: str) -> Endpoint:
        """Judge a URL without asking anybody: all that can be done where a proxy resolves the name.

        Raises:
            UnsafeAddressError: "unsafe_url" for what is not plain http or https, has credentials, backslashes
                or controls in it, or a number in place of a host; "private_address" for a private address,
                and for a name that means something only inside of a network.
        """
        if _AMBIGUOUS.search(url):
            # The URL is not repeated: what stands where cannot be told, a password neither.
            raise UnsafeAddressError(
                "unsafe_url", "the URL has a backslash, a space or a control character in it"
            )
        try:
            endpoint = endpoint_of(*host_and_port(url))
        except UrlError as error:
            raise UnsafeAddressError("unsafe_url", str(error)) from error
        host = endpoint[0]
        if endpoint not in self._named and (_is_local_name(host) or _is_private_literal(host)):
            raise UnsafeAddressError("private_address", f"{host} is no host of the public internet")
        return endpoint

    def check_addresses(self, host: str, port: int, addresses: Iterable[str]) -> None:
        """Judge what a name resolved to.

        A named host may be private, but not become so: who named it meant what it was.

        Raises:
            UnsafeAddressError: one of the addresses is not public.
        """
        endpoint = endpoint_of(host, port)
        private = next((address for address in addresses if not is_public_address(address)), None)
        if private is None and endpoint in self._named:
            self._seen_public.add(endpoint)
        if private is None or self._may_be_private(endpoint):
            self._refused.discard(endpoint)
            return
        self._refused.add(endpoint)
        raise UnsafeAddressError("private_address", f"{host} is {private}, no address of the public internet")

    def _may_be_private(self, endpoint: Endpoint) -> bool:
        return endpoint in self._proxies or (endpoint in self._named and endpoint not in self._seen_public)

    def has_refused(self, url: str) -> bool:
        """Whether the last resolution of the URL's name was refused."""
        return endpoint_of(*host_and_port(url)) in self._refused


def endpoint_of(host: str, port: int) -> Endpoint:
    """Host and port as they are compared.

    Raises:
        UrlError: the host is none.
    """
    name = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return canonical_host(name).strip("[]"), port


def _endpoints(url: str) -> Iterable[Endpoint]:
    host, port = endpoint_of(*host_and_port(url))
    ports = _DEFAULT_PORTS if port in _DEFAULT_PORTS else (port,)
    return [(host, number) for number in ports]


def _is_local_name(host: str) -> bool:
    if is_ip_address(host):
        return False
    return "." not in host or _LOCAL_NAME.search(host) is not None


def _is_private_literal(host: str) -> bool:
    return is_ip_address(host) and not is_public_address(host)
