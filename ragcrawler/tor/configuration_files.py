"""The configuration files of one Tor client and of the HTTP proxy before it."""

import os
from pathlib import Path

from ragcrawler.tor.options import TorOptions

CONTROL_PORT_FILE = "control_port"
COOKIE_FILE = "control_cookie"
LOG_FILE = "notice.log"


def torrc(folder: Path, options: TorOptions) -> str:
    """Tor's configuration; Tor chooses its ports and ends when this process does."""
    lines = [
        f'DataDirectory "{folder / "data"}"',
        "SocksPort 127.0.0.1:auto",
        "ControlPort 127.0.0.1:auto",
        f'ControlPortWriteToFile "{folder / CONTROL_PORT_FILE}"',
        "CookieAuthentication 1",
        f'CookieAuthFile "{folder / COOKIE_FILE}"',
        f"__OwningControllerProcess {os.getpid()}",
        "ClientOnly 1",
        "AvoidDiskWrites 1",
        f"Log notice file {folder / LOG_FILE}",
    ]
    if options.exit_countries:
        nodes = ",".join(f"{{{country}}}" for country in options.exit_countries)
        lines += [f"ExitNodes {nodes}", "StrictNodes 1"]
    return "\n".join([*lines, options.extra_torrc.strip(), ""])


def privoxy_configuration(folder: Path, port: int, socks_address: str) -> str:
    """Privoxy's configuration: no filters, no settings by web page, names resolved by Tor.

    Args:
        folder: of this client.
        port: of 127.0.0.1, for the crawl.
        socks_address: `host:port` of Tor's SOCKS listener.
    """
    return "\n".join(
        [
            f"confdir {folder}",
            f"logdir {folder}",
            f"listen-address 127.0.0.1:{port}",
            # socks5t hands the host name to Tor: this machine never looks it up.
            f"forward-socks5t / {socks_address} .",
            "toggle 0",
            "enable-remote-toggle 0",
            "enable-remote-http-toggle 0",
            "enable-edit-actions 0",
            # A connection that is used again would keep its circuit after new ones were asked for.
            "connection-sharing 0",
            "socket-timeout 120",
            "max-client-connections 256",
            "",
        ]
    )
