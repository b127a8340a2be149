"""Finds the system's tor and privoxy."""

import os
import shutil
from dataclasses import dataclass

from ragcrawler.tor.errors import TorError

# Debian installs privoxy here, which is not on every user's PATH.
_MORE_FOLDERS = ("/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin")


@dataclass(frozen=True, slots=True)
class Programs:
    """Paths of programs.

    Attributes:
        tor: the Tor client.
        privoxy: an HTTP proxy that speaks SOCKS to Tor; Scrapy does not.
        tied: words in front of privoxy's command that end it when this process dies; empty where the
            system has no such program.
    """

    tor: str
    privoxy: str
    tied: tuple[str, ...]


def find_programs() -> Programs:
    """Find the programs.

    Raises:
        TorError: one is missing.
    """
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_MORE_FOLDERS])
    found = {name: shutil.which(name, path=path) for name in ("tor", "privoxy")}
    missing = [name for name, place in found.items() if place is None]
    if missing:
        raise TorError(
            f"{' and '.join(missing)} not found; on Debian: apt-get install tor privoxy (the services that "
            "the packages start are not needed), or use tor-proxy/compose.yaml"
        )
    # Tor watches its owner by itself; privoxy does not.
    setpriv = shutil.which("setpriv", path=path)
    tied = (setpriv, "--pdeathsig", "TERM") if setpriv else ()
    return Programs(str(found["tor"]), str(found["privoxy"]), tied)
