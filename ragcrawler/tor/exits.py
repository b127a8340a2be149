"""The list of running clients, which `scrapy tor` writes and a crawl reads."""

import fcntl
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ragcrawler.tor.control import ControlPort
from ragcrawler.tor.errors import TorError

# Tor ignores a second request within this time.
RENEWAL_LIMIT_SECONDS = 10.0
_EXITS_FILE = "exits.json"
_PROXIES_FILE = "proxies.txt"
_LOCK_FILE = "lock"


@dataclass(frozen=True, slots=True)
class TorExit:
    """One client.

    Attributes:
        proxy: URL of the HTTP proxy before it.
        control: takes its commands.
    """

    proxy: str
    control: ControlPort


def exits_file(folder: Path) -> Path:
    """The list with control ports, for crawls with `PROXY=tor`."""
    return folder / _EXITS_FILE


def proxies_file(folder: Path) -> Path:
    """The same proxies one a line, for other programs and `ROTATING_PROXY_LIST_PATH`."""
    return folder / _PROXIES_FILE


def take_folder(folder: Path) -> IO[str]:
    """Hold the folder for this process as long as the file that is returned stays open.

    Raises:
        TorError: another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = (folder / _LOCK_FILE).open("w", encoding="ascii")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise TorError(f"another scrapy tor uses {folder}; stop it, or set another OUTPUT_DIR") from error
    return lock


def write_exits(folder: Path, exits: Sequence[TorExit]) -> None:
    """Replace both lists at once, each whole."""
    rows = [
        {"proxy": each.proxy, "control": each.control.address, "cookie_file": str(each.control.cookie_file)}
        for each in exits
    ]
    _replace(exits_file(folder), json.dumps(rows, indent=1) + "\n")
    _replace(proxies_file(folder), "".join(f"{each.proxy}\n" for each in exits))


def remove_exits(folder: Path) -> None:
    """Take the lists away: nothing listens there any more."""
    for path in (exits_file(folder), proxies_file(folder)):
        path.unlink(missing_ok=True)


def read_exits(folder: Path) -> tuple[TorExit, ...]:
    """The clients that run now.

    Raises:
        TorError: none do, or the list is damaged.
    """
    if not _is_held(folder):
        raise TorError(f"Tor does not run for {folder.parent}; start it in another terminal: scrapy tor")
    try:
        rows = json.loads(exits_file(folder).read_text(encoding="utf-8"))
        return tuple(
            TorExit(row["proxy"], ControlPort(row["control"], Path(row["cookie_file"]))) for row in rows
        )
    except FileNotFoundError as error:
        raise TorError("scrapy tor is still starting; wait until it says that Tor is ready") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TorError(f"{exits_file(folder)} is damaged ({error!r}); start scrapy tor again") from error


def _is_held(folder: Path) -> bool:
    try:
        lock = (folder / _LOCK_FILE).open("r", encoding="ascii")
    except FileNotFoundError:
        return False
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def _replace(path: Path, text: str) -> None:
    """Readers see the old file or the new one; other users may not read where the cookies lie."""
    written = path.with_suffix(".new")
    written.touch(mode=0o600)
    written.write_text(text, encoding="utf-8")
    written.replace(path)


class TorExits:
    """Asks for new circuits when a site bans an exit.

    Args:
        exits: the running clients.
        clock: seconds that only grow.
    """

    def __init__(self, exits: Sequence[TorExit], clock: Callable[[], float] = time.monotonic) -> None:
        self._exits = {each.proxy: each for each in exits}
        self._clock = clock
        self._renewed: dict[str, float] = {}

    @property
    def proxies(self) -> list[str]:
        """URLs of the HTTP proxies."""
        return list(self._exits)

    async def renew(self, proxy: str) -> bool:
        """Take new circuits behind a proxy; False where it is too soon for that.

        Raises:
            TorError: the client does not answer, or refuses.
        """
        now = self._clock()
        if now - self._renewed.get(proxy, -RENEWAL_LIMIT_SECONDS) < RENEWAL_LIMIT_SECONDS:
            return False
        self._renewed[proxy] = now
        await self._exits[proxy].control.new_circuits()
        return True
