"""One Redis server: opened once, checked, asked by scripts, and waited for while it is away."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any
from uuid import uuid4

from ragcrawler.frontier.states.records import LeaseLostError
from ragcrawler.frontier.states.redis.errors import RedisStateError
from ragcrawler.frontier.states.redis.recent import Recent
from ragcrawler.frontier.states.redis.waiting_writes import NO_LEASE, Argument, WaitingWrites
from ragcrawler.urls.credentials import mask_credentials

logger = logging.getLogger(__name__)

KEYS = "ragcrawler:"
_OF_ALL_CRAWLS = "all"
_FORMAT_KEY = f"{KEYS}format"
_FORMAT = b"3"
_LEAST_VERSION = (6, 2)
_SCANNED_AT_ONCE = 500
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0
# Each begins with the parts that it needs.
_OF_URLS = "add add_nofollow close decide known lease over park queue reclaim release renew sites take unpark"
_OF_HOSTS = "host_late host_raise host_sent host_set host_turn"
_OF_SIDE_QUEUE = "side_lease side_put side_release side_renew"
_OF_WORKERS = "beat begin_opening"
_OF_ENDED_CRAWLS = "end join leave"
_PARTS = {
    **dict.fromkeys(_OF_URLS.split(), ("fence", "writes", "records")),
    **dict.fromkeys(_OF_HOSTS.split(), ("fence", "writes", "hosts")),
    **dict.fromkeys(_OF_SIDE_QUEUE.split(), ("fence", "writes", "side")),
    **dict.fromkeys(_OF_WORKERS.split(), ("fence", "writes", "hosts", "workers")),
    **dict.fromkeys(_OF_ENDED_CRAWLS.split(), ("writes", "hosts", "workers")),
    "poll": ("fence", "writes", "records", "hosts", "side"),
    "drop": ("writes",),
}
# They change nothing, so that they need not be known when they are repeated.
_READING = {"known", "queue"}
_LEASE_LOST = "LEASE"


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """Where the state of a crawl is.

    Attributes:
        url: as `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS.
        crawl: the name of the crawl: what has another one shares nothing with it.
        wait_seconds: how long a server that is away is waited for.
        alive_seconds: after which a worker that was not heard of has died; the same for all.
        timeout_seconds: for one answer.
        recent_seconds: how old what a worker knows of spellings and hosts may be; 0.0: it asks each time.
    """

    url: str
    crawl: str
    wait_seconds: float = 300.0
    alive_seconds: float = 60.0
    timeout_seconds: float = 10.0
    recent_seconds: float = 0.0

    @property
    def shown(self) -> str:
        """The URL for messages; a query may hold a password."""
        return mask_credentials(self.url.partition("?")[0])


class RedisServer:
    """Calls scripts and commands; each call waits for a server that is away, as long as the address says.

    A call whose answer was lost is repeated with its number, by which the scripts know it.

    Args:
        address: where, and for which crawl.
        pause: sleeps for some seconds.

    Attributes:
        prefix: of the names of the crawl's keys.
        worker: who calls.
        breaks: how often the server was away: it may have lost what was written last.

    Raises:
        RedisStateError: the server cannot be used.
    """

    def __init__(self, address: RedisAddress, pause: Callable[[float], None] = time.sleep) -> None:
        redis = _library()
        # The braces keep the keys of a crawl on one node of a cluster.
        self.prefix = f"{KEYS}{{{address.crawl or _OF_ALL_CRAWLS}}}:"
        self.worker = uuid4().hex[:12]
        self._address = address
        self._pause = pause
        self._errors = redis.exceptions
        self._calls = 0
        self._scripts: dict[str, Any] = {}
        self._waiting_writes = WaitingWrites()
        self._lock = threading.RLock()  # the store's thread asks what became of a URL
        self._has_given_up = False
        self.breaks = 0
        with self._explained():
            self._client = redis.Redis.from_url(
                address.url,
                socket_timeout=address.timeout_seconds,
                socket_connect_timeout=address.timeout_seconds,
                retry=None,
            )
            self._check()

    def recent(self, times: float = 1.0) -> Recent[Any]:
        """Keeps answers for so many times as long as the address says."""
        return Recent(times * self._address.recent_seconds, lambda: self.breaks)

    def call(self, script: str, *arguments: Argument) -> Any:
        """Run one of the scripts of this package.

        Raises:
            RedisStateError: the server refused it, or was away for too long.
        """
        with self._lock:
            if script not in self._scripts:
                self._scripts[script] = self._client.register_script(_source(script))
            self._calls += 1
            writes = self._waiting_writes.take()
            number = 0 if script in _READING and not writes else self._calls
            numbered = (self.worker, number, *self._waiting_writes.lease, len(writes), *writes, *arguments)
            return self._ask(lambda _: self._scripts[script](keys=(self.prefix,), args=numbered))

    @contextmanager
    def transaction(self, key: bytes = b"", lease: int = 0) -> Iterator[None]:
        """Let writes that need no answer wait for the next script within; the rest is written at its end.

        Args:
            key: of a record, without whose lease no script within does anything.
            lease: its number, 0 where there is no such record.

        Raises:
            LeaseLostError: the record has it no more.
        """
        with self._waiting_writes.collecting() as is_outermost:
            if lease:
                self._waiting_writes.lease = (key, lease)
            yield
            if is_outermost:
                self._write_waiting()

    def end_lease(self, key: bytes) -> None:
        """The lease of a record was ended here: a transaction that needs it may go on."""
        if self._waiting_writes.lease[0] == key:
            self._waiting_writes.lease = NO_LEASE

    def write(self, command: str, name: str, *arguments: Argument) -> None:
        """Run a command of Redis that changes one key, which is named without prefix; perhaps only later.

        Raises:
            RedisStateError: the server refused it, or was away for too long.
        """
        if self._waiting_writes.is_collecting:
            self._waiting_writes.add(command, name, *arguments)
        else:
            with self._waiting_writes.collecting():
                self._waiting_writes.add(command, name, *arguments)
                self._write_waiting()

    def read(self, name: str, command: Callable[[Any, str], Any]) -> Any:
        """Run a command that reads one key, which is named without prefix.

        Raises:
            RedisStateError: the server refused it, or was away for too long.
        """
        if self._waiting_writes.concern(name):
            self._write_waiting()
        return self._ask(lambda redis: command(redis, self.prefix + name))

    def do(self, command: Callable[[Any], Any]) -> Any:
        """Run a command that may be repeated.

        Raises:
            RedisStateError: the server refused it, or was away for too long.
        """
        self._write_waiting()
        return self._ask(command)

    def key(self, name: str) -> str:
        """The full name of one of the crawl's keys."""
        return self.prefix + name

    def names(self, start: str) -> list[str]:
        """The rest of each key's name that begins so."""
        whole = self.key(start)
        found = self.do(lambda redis: list(redis.scan_iter(f"{whole}*", count=_SCANNED_AT_ONCE)))
        return [name.decode().removeprefix(whole) for name in set(found)]

    def hash(self, name: str) -> dict[bytes, bytes]:
        """All fields of a hash."""
        found: dict[bytes, bytes] = self.do(lambda redis: redis.hgetall(name))
        return found

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _write_waiting(self) -> None:
        if self._waiting_writes.is_waiting:
            self.call("write")

    def _ask(self, command: Callable[[Any], Any]) -> Any:
        with self._explained():
            if self._has_given_up:  # a crawl that stops would write by halves, were Redis back by now
                raise self._errors.ConnectionError("it was away for too long")
            return self._waiting(lambda: command(self._client))

    def _waiting(self, command: Callable[[], Any]) -> Any:
        pause, waited = _FIRST_PAUSE_SECONDS, 0.0
        while True:
            try:
                answer = command()
            except self._errors.AuthenticationError:
                raise
            except (self._errors.ConnectionError, self._errors.TimeoutError) as error:
                if waited >= self._address.wait_seconds:
                    self._has_given_up = True
                    raise
                self.breaks += 1
                if not waited:
                    logger.warning(
                        "Redis at %s is away (%s): waiting for it",
                        self._address.shown,
                        mask_credentials(str(error)),
                    )
                self._pause(pause)
                timed_out = isinstance(error, self._errors.TimeoutError)
                waited += pause + timed_out * self._address.timeout_seconds
                pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            else:
                if waited:
                    logger.info("Redis at %s is back: the crawl goes on", self._address.shown)
                return answer

    def _check(self) -> None:
        """Refuse a server that is too old, and a database with another program's keys."""
        version = str(self._client.info("server")["redis_version"])
        if tuple(int(number) for number in version.split(".")[:2]) < _LEAST_VERSION:
            least = ".".join(map(str, _LEAST_VERSION))
            raise RedisStateError(f"Redis at {self._address.shown} is {version}: at least {least} is needed")
        known = self._client.get(_FORMAT_KEY)
        if known is None and (keys := self._client.dbsize()):
            raise RedisStateError(
                f"Redis at {self._address.shown} has {keys} keys of another program: name a database of its "
                "own at the end of REDIS_URL, as in redis://localhost:6379/1"
            )
        if known not in (None, _FORMAT):
            raise RedisStateError(
                f"Redis at {self._address.shown} has crawls of another version of this program: use the same "
                "version on all machines, or a database of its own"
            )
        self._client.set(_FORMAT_KEY, _FORMAT)
        if self._address.crawl:
            self._client.set(self.key("alive_seconds"), self._address.alive_seconds)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        shown, errors = self._address.shown, self._errors
        try:
            yield
        except errors.AuthenticationError as error:
            message = f"Redis at {shown} refused user or password: look at REDIS_URL"
            raise RedisStateError(message) from error
        except (errors.ConnectionError, errors.TimeoutError) as error:
            reason = mask_credentials(str(error))
            raise RedisStateError(f"Redis at {shown} does not answer ({reason}): is it running?") from error
        except (errors.RedisError, ValueError) as error:
            reason = mask_credentials(str(error))
            if reason.startswith(_LEASE_LOST):
                raise LeaseLostError(reason) from error
            raise RedisStateError(f"Redis at {shown} cannot be used: {reason}") from error


@cache
def _source(name: str) -> str:
    folder = files(__package__) / "scripts"

    def read(part: str) -> str:
        return (folder / f"{part}.lua").read_text(encoding="utf-8")

    before = "\n".join(map(read, ("once", *_PARTS.get(name, ("fence", "writes")))))
    return f"{before}\nlocal function effect()\n{read(name)}\nend\n{read('answer')}"


def _library() -> Any:
    try:
        import redis
    except ImportError as error:
        raise RedisStateError("REDIS_URL needs the package redis: pip install 'ragcrawler[redis]'") from error
    return redis
