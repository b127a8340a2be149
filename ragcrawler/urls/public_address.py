"""Which IP addresses belong to the public internet."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# All unicast addresses that are routed on the internet (RFC 4291, section 2.4).
_UNICAST = IPv6Network("2000::/3")
# The well-known prefix of translators (RFC 6052); the one for local use (RFC 8215) lies outside of the above.
_NAT64 = IPv6Network("64:ff9b::/96")

# A virtual address within Azure's networks that is taken from a public range: its machines answer there with
# certificates and settings.
_AZURE_HOST = IPv4Address("168.63.129.16")
# For documentation (RFC 9637); the standard library of Python 3.11 takes it for public.
_DOCUMENTATION = IPv6Network("3fff::/20")


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
    return address.is_global and not address.is_multicast and address != _AZURE_HOST


def _is_public_v6(address: IPv6Address) -> bool:
    if address.ipv4_mapped is not None:
        return _is_public_v4(address.ipv4_mapped)
    if address in _NAT64:
        return _is_public_v4(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address.sixtofour is not None:
        return _is_public_v4(address.sixtofour)
    # Teredo (2001::/32) is none of the global ones.
    return address in _UNICAST and address.is_global and address not in _DOCUMENTATION
