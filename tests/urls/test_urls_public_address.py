"""Public and private IP addresses, IPv4 within IPv6 included."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragcrawler.urls.address_guard import is_public_address

PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "192.0.1.1", "192.88.98.1"]
PRIVATE = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"),
    *("192.0.0.8", "192.0.0.9", "192.0.0.192", "192.88.99.1"),
    *("172.16.0.1", "172.31.255.255", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.51.100.1"),
    *("203.0.113.1", "224.0.0.1", "233.252.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
]


@pytest.mark.parametrize("address", [*PUBLIC, "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize(
    "address",
    [
        *PRIVATE,
        *(
            "::",
            "::1",
            "::7f00:1",
            "::ffff:0:127.0.0.1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fe80::1%eth0",
        ),
        *("fec0::1", "ff02::1", "ff0e::1", "100::1", "2001:db8::1", "64:ff9b:1::808:808", "4000::1"),
        *("2001:0:4136:e378:8000:63bf:3fff:fdd2", "localhost", "", "127.1", "0x7f.0.0.1", "2130706433"),
    ],
)
def test_any_other_is_not(address: str) -> None:
    assert not is_public_address(address)


def _wrappings(address: ipaddress.IPv4Address) -> dict[str, str]:
    number = int(address)
    return {
        "mapped": f"::ffff:{address}",
        "nat64": str(ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) + number)),
        "6to4": str(ipaddress.IPv6Address((0x2002 << 112) + (number << 80) + 1)),
    }


@given(st.ip_addresses(v=4) | st.sampled_from([*PUBLIC, *PRIVATE]).map(ipaddress.IPv4Address))
def test_a_wrapped_ipv4_address_is_judged_as_itself(address: ipaddress.IPv4Address) -> None:
    expected = is_public_address(str(address))
    assert {is_public_address(text) for text in _wrappings(address).values()} == {expected}


@given(st.ip_addresses())
def test_no_private_loopback_link_local_or_multicast_address_is_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        mapped = getattr(address, "ipv4_mapped", None)
        assert not is_public_address(str(address)) or (mapped is not None and is_public_address(str(mapped)))
