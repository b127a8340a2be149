"""The Tor proxy has no password, so nobody but this machine may reach it."""

from pathlib import Path

import yaml

_COMPOSE = Path(__file__).parents[2] / "tor-proxy" / "compose.yaml"


def test_the_ports_are_open_to_this_machine_only():
    service = yaml.safe_load(_COMPOSE.read_text(encoding="utf-8"))["services"]["tor-proxy"]
    assert service["image"] == "zhaowde/rotating-tor-http-proxy"
    assert service["ports"] == ["127.0.0.1:3128:3128", "127.0.0.1:4444:4444"]
