"""The options of `scrapy tor`, and the files that it writes from them."""

from pathlib import Path
from typing import Any

import pytest

from ragcrawler.tor.configuration_files import privoxy_configuration, torrc
from ragcrawler.tor.options import TorOptions


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"instances": 0}, "--instances is 0; it should be 1 to 40"),
        ({"instances": 41}, "--instances is 41"),
        ({"first_port": 65_533, "instances": 5}, "--port is 65533"),
        ({"renewal_seconds": 9}, "--renew-seconds should be at least 10"),
        ({"start_seconds": 0}, "--timeout greater than 0"),
        ({"exit_countries": ("de", "Austria")}, "'Austria'"),
    ],
)
def test_a_wrong_option_is_refused_with_its_value(wrong: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said):
        TorOptions(folder=tmp_path, **wrong)


def test_a_client_listens_on_loopback_alone_and_ends_with_its_owner(tmp_path: Path) -> None:
    lines = torrc(tmp_path, TorOptions(folder=tmp_path)).splitlines()
    assert {"SocksPort 127.0.0.1:auto", "ControlPort 127.0.0.1:auto", "CookieAuthentication 1"} <= {*lines}
    assert any(line.startswith("__OwningControllerProcess ") for line in lines)


def test_exits_are_bound_to_countries_and_bridges_are_passed_on(tmp_path: Path) -> None:
    options = TorOptions(folder=tmp_path, exit_countries=("de", "at"), extra_torrc="UseBridges 1\n")
    lines = torrc(tmp_path, options).splitlines()
    assert lines[-3:] == ["ExitNodes {de},{at}", "StrictNodes 1", "UseBridges 1"]


def test_the_proxy_leaves_names_to_tor_and_changes_nothing(tmp_path: Path) -> None:
    lines = privoxy_configuration(tmp_path, 8120, "127.0.0.1:9050").splitlines()
    assert {
        "listen-address 127.0.0.1:8120",
        "forward-socks5t / 127.0.0.1:9050 .",
        "toggle 0",
        "connection-sharing 0",
    } <= {*lines}
