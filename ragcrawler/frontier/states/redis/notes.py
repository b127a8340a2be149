"""Counters, sets and texts in Redis."""

from collections.abc import Iterator

from ragcrawler.frontier.states.records import NoteEntry
from ragcrawler.frontier.states.redis.entries import bytes_of, packed_key, text_of, unpacked_key
from ragcrawler.frontier.states.redis.server import RedisServer


class RedisNotes:
    """See `Notes`. Counters and texts of a kind are one hash, each set is one."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server

    def count(self, kind: str, key: int, amount: int = 1) -> int:
        """See `Notes`."""
        return int(self._server.call("count", f"counters:{kind}", packed_key(key), amount))

    def counter(self, kind: str, key: int) -> int:
        """See `Notes`."""
        name, packed = self._server.key(f"counters:{kind}"), packed_key(key)
        return int(self._server.do(lambda redis: redis.hget(name, packed)) or 0)

    def raise_to(self, kind: str, key: int, value: int) -> None:
        """See `Notes`."""
        self._server.call("raise", f"counters:{kind}", packed_key(key), value)

    def add_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        return bool(self._server.call("add_member", _set_name(kind, key), packed_key(member), limit))

    def insert_member(self, kind: str, key: int, member: int, limit: int = 0) -> bool:
        """See `Notes`."""
        return bool(self._server.call("insert_member", _set_name(kind, key), packed_key(member), limit))

    def has_member(self, kind: str, key: int, member: int) -> bool:
        """See `Notes`."""
        name, packed = self._server.key(_set_name(kind, key)), packed_key(member)
        return bool(self._server.do(lambda redis: redis.sismember(name, packed)))

    def size(self, kind: str, key: int) -> int:
        """See `Notes`."""
        name = self._server.key(_set_name(kind, key))
        return int(self._server.do(lambda redis: redis.scard(name)))

    def put(self, kind: str, key: int, text: str) -> None:
        """See `Notes`."""
        name, packed, value = self._text_name(kind), packed_key(key), bytes_of(text)
        self._server.do(lambda redis: redis.hset(name, packed, value))

    def get(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        name, packed = self._text_name(kind), packed_key(key)
        text = self._server.do(lambda redis: redis.hget(name, packed))
        return None if text is None else text_of(text)

    def pop(self, kind: str, key: int) -> str | None:
        """See `Notes`."""
        text = text_of(self._server.call("pop_text", f"texts:{kind}", packed_key(key)))
        return text[1:] if text else None

    def texts(self, kind: str) -> Iterator[str]:
        """See `Notes`."""
        texts = self._server.do(lambda redis: redis.hvals(self._text_name(kind)))
        return iter([text_of(text) for text in texts])

    def discard_member(self, kind: str, key: int, member: int) -> None:
        """See `Notes`."""
        name, packed = self._server.key(_set_name(kind, key)), packed_key(member)
        self._server.do(lambda redis: redis.srem(name, packed))

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
            for key, text in self._server.hash(self._text_name(kind)).items():
                yield NoteEntry(kind, unpacked_key(key), text_of(text), "text")

    def _members(self, name: str) -> list[bytes]:
        members: set[bytes] = self._server.do(lambda redis: redis.smembers(self._server.key(f"set:{name}")))
        return sorted(members)

    def _text_name(self, kind: str) -> str:
        return self._server.key(f"texts:{kind}")


def _set_name(kind: str, key: int) -> str:
    return f"set:{kind}:{key}"
