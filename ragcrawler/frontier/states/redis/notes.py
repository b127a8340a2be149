"""Counters, sets and texts in Redis."""

from collections.abc import Iterator, Mapping

from ragcrawler.frontier.states.records import NoteEntry, key64
from ragcrawler.frontier.states.redis.entries import bytes_of, packed_key, text_of, unpacked_key
from ragcrawler.frontier.states.redis.recent import Recent
from ragcrawler.frontier.states.redis.server import RedisServer

# A page looks up each of its links in these. What others changed a moment ago is not known yet, as if the
# page had come a moment sooner.
_SPELLINGS = {"asked_spelling", "first_spelling"}
_SPELLING_TIMES = 10.0
_SMALL_SETS = {"apart"}
_SMALL = 2_000


class RedisNotes:
    """See `Notes`. Counters and texts of a kind are one hash, each set is one."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server
        self._texts: Recent[str | None] = server.recent(_SPELLING_TIMES)
        self._sets: Recent[frozenset[bytes] | None] = server.recent()

    def count(self, kind: str, key: int, amount: int = 1) -> int:
        """See `Notes`."""
        return int(self._server.call("count", f"counters:{kind}", packed_key(key), amount))

    def counter(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return int(self._field(f"counters:{kind}", key) or 0)

    def count_named(self, kind: str, amounts: Mapping[str, int]) -> None:
        """See `Notes`."""
        with self._server.transaction():
            for name, amount in amounts.items():
                packed = packed_key(key64(name))
                self._server.write("HSET", f"texts:{kind}", packed, bytes_of(name))
                self._server.write("HINCRBY", f"counters:{kind}", packed, amount)

    def named_counts(self, kind: str) -> Mapping[str, int]:
        """See `Notes`."""
        names = self._server.read(f"texts:{kind}", lambda redis, name: redis.hgetall(name))
        counts = self._server.read(f"counters:{kind}", lambda redis, name: redis.hgetall(name))
        return {text_of(name): int(counts.get(key, 0)) for key, name in names.items()}

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """See `Notes`."""
        self._server.call("raise", f"counters:{kind}", packed_key(key), value)

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        self._sets.drop(_set_name(kind, key))
        return bool(self._server.call("add_member", _set_name(kind, key), packed_key(member), limit))

    def insert_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        self._sets.drop(_set_name(kind, key))
        return bool(self._server.call("insert_member", _set_name(kind, key), packed_key(member), limit))

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """See `Notes`."""
        name, packed = _set_name(kind, key), packed_key(member)
        if kind in _SMALL_SETS and self._sets.is_on:
            known = self._sets.get(name, lambda: self._small_set(name))
            if known is not None:
                return packed in known
        return bool(self._server.read(name, lambda redis, whole: redis.sismember(whole, packed)))

    def size(self, kind: str, key: int) -> int:
        """See `Notes`."""
        return int(self._server.read(_set_name(kind, key), lambda redis, name: redis.scard(name)))

    def put(self, kind: str, key: int, text: str) -> None:
        """See `Notes`."""
        self._texts.put((kind, key), text)
        self._server.write("HSET", f"texts:{kind}", packed_key(key), bytes_of(text))

    def swap(self, kind: str, key: int, expected: str | None, text: str) -> bool:
        """See `Notes`."""
        self._texts.drop((kind, key))
        known = b"" if expected is None else b"=" + bytes_of(expected)
        name = f"texts:{kind}"
        return bool(self._server.call("swap_text", name, packed_key(key), known, bytes_of(text)))

    def get(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        if kind in _SPELLINGS:
            return self._texts.get((kind, key), lambda: self._text(kind, key))
        return self._text(kind, key)

    def pop(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        self._texts.drop((kind, key))
        text = text_of(self._server.call("pop_text", f"texts:{kind}", packed_key(key)))
        return text[1:] if text else None

    def texts(self, kind: str) -> Iterator[str]:
        """See `Notes`."""
        texts = self._server.read(f"texts:{kind}", lambda redis, name: redis.hvals(name))
        return iter([text_of(text) for text in texts])

    def discard_member(self, kind: str, key: int, member: int) -> None:
        """See `Notes`."""
        self._server.write("SREM", _set_name(kind, key), packed_key(member))

    def entries(self) -> Iterator[NoteEntry]:
        """See `Notes`."""
        for kind in sorted(self._server.names("counters:")):
            for key, value in self._server.hash(self._server.key(f"counters:{kind}")).items():
                yield NoteEntry(kind, unpacked_key(key), int(value), "counter")
        for name in sorted(self._server.names("set:")):
            kind, _, number = name.rpartition(":")
            for packed in self._members(name):
                yield NoteEntry(kind, int(number), unpacked_key(packed), "member")
        for kind in sorted(self._server.names("texts:")):
            for key, text in self._server.hash(self._server.key(f"texts:{kind}")).items():
                yield NoteEntry(kind, unpacked_key(key), text_of(text), "text")

    def _members(self, name: str) -> list[bytes]:
        members: set[bytes] = self._server.do(lambda redis: redis.smembers(self._server.key(f"set:{name}")))
        return sorted(members)

    def _text(self, kind: str, key: int) -> str | None:
        text = self._field(f"texts:{kind}", key)
        return None if text is None else text_of(text)

    def _small_set(self, name: str) -> frozenset[bytes] | None:
        """All members; None where they are too many."""
        if self._server.read(name, lambda redis, whole: redis.scard(whole)) > _SMALL:
            return None
        return frozenset(self._server.read(name, lambda redis, whole: redis.smembers(whole)))

    def _field(self, name: str, key: int) -> bytes | None:
        packed = packed_key(key)
        value: bytes | None = self._server.read(name, lambda redis, whole: redis.hget(whole, packed))
        return value


def _set_name(kind: str, key: int) -> str:
    return f"set:{kind}:{key}"
