"""Addresses that the guard lets through, by text and by number."""

import pytest

from ragcrawler.urls.address_guard import AddressGuard, UnsafeAddressError


def reason(guard: AddressGuard, url: str) -> str:
    try:
        guard.check_url(url)
    except UnsafeAddressError as error:
        return error.reason
    return ""


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.example.org/x?y=1",
        "http://xn--bcher-kva.example/",
        "http://8.8.8.8:8080/",
        "http://[2606:4700:4700::1111]/",
        "https://localhost.example.org/",
        "https://internal.example.org/",
        "https://svc.example.org/",
        "https://consul.io/",
        "http://168.63.129.17/",
        "http://[3ffe::1]/",
        "https://10.0.0.1.example.org/",
    ],
)
def test_a_public_url_passes(url: str) -> None:
    assert reason(AddressGuard(), url) == ""


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.org/",
        "gopher://a.org/",
        "data:text/html,x",
        "javascript:alert(1)",
        "https://anna:secret@a.org/",
        "https://a.org@b.org/",
        "https://a.org\\@b.org/",
        "https:\\\\a.org/",
        "https://a.org/x\\y",
        "https://a.org/\r\nHost: b.org",
        "https://a.org/\x00",
        "https://a.org/ x",
        " https://a.org/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://1.1.1.1.1/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://a.org:0/",
        "http://a.org:99999/",
    ],
)
def test_a_url_that_can_be_read_in_two_ways_is_unsafe(url: str) -> None:
    assert reason(AddressGuard(), url) == "unsafe_url"


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1/", "http://127.0.0.1.:80/", "http://169.254.169.254/latest/meta-data/"),
        *("http://10.1.2.3:8000/", "http://0.0.0.0/", "http://[::1]/", "http://[::ffff:127.0.0.1]/"),
        *("http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://[fd00:ec2::254]/"),
        *("http://localhost/", "http://LOCALHOST./", "http://x.localhost/", "http://printer.local/"),
        *(
            "http://metadata.google.internal/",
            "http://router.lan/",
            "http://router.home.arpa/",
            "http://kubernetes.default.svc/",
            "http://kubernetes.default/",
            "http://vault.service.consul/",
            "http://db.svc./",
            "http://gateway.docker.internal/",
            "http://metadata.tencentyun.com/",
            "http://168.63.129.16/metadata",
            "http://[::ffff:168.63.129.16]/",
            "http://[3fff::1]/",
            "http://wiki/",
        ),
        *("http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://abcdefghij.onion/", "http://%6c%6fcalhost/"),
    ],
)
def test_a_private_address_or_name_is_refused(url: str) -> None:
    assert reason(AddressGuard(), url) == "private_address"


@pytest.mark.parametrize(
    ("named", "allowed", "refused"),
    [
        (
            "http://127.0.0.1:8000/docs/",
            "http://127.0.0.1:8000/x https://127.0.0.1:8000/",
            "http://127.0.0.1:8001/ http://127.0.0.1/ http://127.0.0.2:8000/ http://localhost:8000/",
        ),
        (
            "http://wiki.corp/",
            "http://wiki.corp/x https://wiki.corp/",
            "http://wiki.corp:8080/ http://x.wiki.corp/",
        ),
        ("http://[::1]:8000/", "http://[0:0::1]:8000/", "http://[::1]:80/ http://[::2]:8000/"),
    ],
)
def test_what_the_operator_names_may_be_private_and_nothing_beside_it(
    named: str, allowed: str, refused: str
) -> None:
    guard = AddressGuard([named])
    assert [url for url in allowed.split() if reason(guard, url)] == []
    assert [url for url in refused.split() if reason(guard, url) != "private_address"] == []


@pytest.mark.parametrize(
    ("host", "addresses", "allowed"),
    [
        ("a.org", ["8.8.8.8", "2606:4700::1"], True),
        ("a.org", ["8.8.8.8", "10.0.0.1"], False),
        ("a.org", ["::ffff:127.0.0.1"], False),
        ("wiki.corp", ["10.0.0.1"], True),
        ("bücher.corp", ["10.0.0.1"], True),
        ("proxy.corp", ["10.0.0.2"], True),
        ("::1", ["::1"], False),
    ],
)
def test_all_addresses_of_a_name_are_judged(host: str, addresses: list[str], allowed: bool) -> None:
    guard = AddressGuard(
        ["http://wiki.corp:8000/", "http://xn--bcher-kva.corp:8000"], proxies=["http://proxy.corp:8000"]
    )
    if allowed:
        guard.check_addresses(host, 8000, addresses)
    else:
        with pytest.raises(UnsafeAddressError) as caught:
            guard.check_addresses(host, 8000, addresses)
        assert caught.value.reason == "private_address"


def test_a_proxy_may_be_connected_to_but_not_asked_for() -> None:
    guard = AddressGuard(proxies=["http://127.0.0.1:3128"])
    guard.check_addresses("127.0.0.1", 3128, ["127.0.0.1"])
    assert reason(guard, "http://127.0.0.1:3128/") == "private_address"


def test_a_refused_name_is_remembered_until_it_resolves_well() -> None:
    guard = AddressGuard()
    assert not guard.has_refused("https://a.org/x")
    with pytest.raises(UnsafeAddressError):
        guard.check_addresses("a.org", 443, ["127.0.0.1"])
    assert guard.has_refused("https://a.org/y")
    assert not guard.has_refused("http://a.org/y")
    guard.check_addresses("a.org", 443, ["8.8.8.8"])
    assert not guard.has_refused("https://a.org/x")


def test_a_named_host_that_was_public_does_not_become_private() -> None:
    guard = AddressGuard(["https://docs.example.org/", "https://wiki.corp/"])
    guard.check_addresses("wiki.corp", 443, ["10.0.0.1"])
    guard.check_addresses("wiki.corp", 443, ["10.0.0.2"])
    guard.check_addresses("docs.example.org", 443, ["8.8.8.8"])
    with pytest.raises(UnsafeAddressError):
        guard.check_addresses("docs.example.org", 443, ["10.0.0.1"])


@pytest.mark.parametrize(
    "url",
    [
        "https://anna:hunter2@a.org/",
        "https://anna:hunter2@a.org\\x",
        "ftp://anna:hunter2@a.org/",
        "file:anna:hunter2@a.org",
        f"https://anna:hunter2@a.org/{'x' * 20_000}",
    ],
)
def test_no_message_repeats_a_password(url: str) -> None:
    with pytest.raises(UnsafeAddressError) as caught:
        AddressGuard().check_url(url)
    assert "hunter2" not in str(caught.value)
