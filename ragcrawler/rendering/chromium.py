"""The system's Chromium: where it is, and how it is started."""

import os
import shutil
from collections.abc import Iterable
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# These would pass by the requests that Playwright shows us.
_NO_DIRECT_CONNECTIONS = (
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
)
# Nothing of it leaves this machine: no name is looked up, and the proxy is a port without a listener. Each
# request is answered by the crawl's downloader before the browser would send it. What escapes that, such as a
# WebSocket, WebRTC or a prefetch, meets this.
_NO_NETWORK = (
    "--proxy-server=http://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    *_NO_DIRECT_CONNECTIONS,
)
# A script that fills its memory takes its own page down, and no more.
_BOUNDS = ("--js-flags=--max-old-space-size=512", "--disable-gpu", "--mute-audio")
_KEPT_ENVIRONMENT = ("PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "XDG_RUNTIME_DIR")


class BrowserMissing(Exception):  # noqa: N818 - it names the state, as `NotConfigured` does
    """There is no browser that works, and there will be none in this crawl; the message says what to do."""


def find_chromium(path: str) -> str:
    """The browser's path.

    Args:
        path: as set; "" looks for the usual names on PATH.

    Raises:
        BrowserMissing: there is none.
    """
    if path:
        if shutil.which(path) is None:
            raise BrowserMissing(f"CHROMIUM_PATH is {path!r}, which is no program that can be run")
        return path
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    raise BrowserMissing(
        f"none of {', '.join(_NAMES)} is on PATH; install Chromium (Debian: apt-get install chromium), "
        "or set CHROMIUM_PATH"
    )


def headless_arguments(profile: str) -> list[str]:
    """Arguments of a browser without a network that shows one page and ends.

    Args:
        profile: an empty folder for its files.
    """
    sandbox = [] if _has_sandbox() else ["--no-sandbox"]
    arguments = ("--headless", "--no-first-run", f"--user-data-dir={profile}")
    return [*arguments, *sandbox, *_NO_NETWORK, *_BOUNDS]


def browser_environment() -> dict[str, str]:
    """Keys and passwords that the crawl got through its environment are no business of a browser."""
    return {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}


def _has_sandbox() -> bool:
    """Chromium refuses to run as root with its sandbox on."""
    return os.geteuid() != 0


def launch_options(executable: str, mark: str) -> dict[str, Any]:
    """Playwright's options for a browser without a network.

    Args:
        executable: the browser's path.
        mark: an argument without a meaning, by which the process is found again.
    """
    return _launch_options(executable, (*_NO_NETWORK, *_BOUNDS, mark))


def narrow_launch_options(executable: str, hosts: Iterable[str]) -> dict[str, Any]:
    """Playwright's options for a browser that reaches some hosts alone, wherever redirects lead.

    Args:
        executable: the browser's path.
        hosts: names, addresses, or `*.name` for all below a name.
    """
    excluded = "".join(f", EXCLUDE {host}" for host in hosts)
    rules = f"--host-resolver-rules=MAP * ~NOTFOUND{excluded}"
    return _launch_options(executable, (rules, "--dns-prefetch-disable", *_NO_DIRECT_CONNECTIONS, *_BOUNDS))


def _launch_options(executable: str, arguments: Iterable[str]) -> dict[str, Any]:
    return {
        "executable_path": executable,
        "headless": True,
        "chromium_sandbox": _has_sandbox(),
        "args": list(arguments),
        "env": browser_environment(),
    }


def start_failure(message: str) -> str:
    """The telling line of what Playwright says of a browser that does not start."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    for line in lines:
        if "FATAL" in line:
            return line.rpartition("] ")[2]
        if "sandbox" in line.lower():
            return f"{line} Let it use user namespaces here (`kernel.unprivileged_userns_clone=1`)"
    return lines[0] if lines else "it does not start"
