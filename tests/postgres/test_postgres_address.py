"""Addresses of databases: read, refused, and shown without what is secret."""

import getpass

import pytest

from ragcrawler.postgres.address import PostgresAddress

USER = getpass.getuser()


@pytest.mark.parametrize(
    ("dsn", "expected"),
    [
        ("postgresql://", PostgresAddress("localhost", 5432, USER, "", USER)),
        ("postgres://db.example", PostgresAddress("db.example", 5432, USER, "", USER)),
        ("postgresql://me:se%40cret@db:5433/crawl", PostgresAddress("db", 5433, "me", "se@cret", "crawl")),
        ("postgresql://me@[::1]/c%2Fd", PostgresAddress("::1", 5432, "me", "", "c/d")),
        (
            "postgresql://me@/crawl?host=/run/postgresql&port=6",
            PostgresAddress("/run/postgresql", 6, "me", "", "crawl"),
        ),
        (
            "postgresql://me@db/crawl?sslmode=verify-full&sslrootcert=/ca.pem",
            PostgresAddress("db", 5432, "me", "", "crawl", "verify-full", "/ca.pem"),
        ),
    ],
)
def test_an_address_is_read_as_libpq_reads_it(dsn: str, expected: PostgresAddress) -> None:
    assert PostgresAddress.from_dsn(dsn) == expected
    assert PostgresAddress.from_dsn(expected.dsn) == expected


@pytest.mark.parametrize(
    "dsn",
    [
        "mysql://db/crawl",
        "host=db dbname=crawl",
        "postgresql://me:secret@db:port/crawl",
        "postgresql://me:secret@one,two/crawl",
        "postgresql://db/crawl?sslmode=perhaps",
        "postgresql://db/crawl?password=secret",
        "postgresql://db/crawl#part",
        "postgresql://[::1/crawl",
        "postgresql://me:se/secret@db/crawl",
    ],
)
def test_what_is_no_address_is_refused_without_being_shown(dsn: str) -> None:
    with pytest.raises(ValueError, match="an address like postgresql://") as refused:
        PostgresAddress.from_dsn(dsn)
    assert "secret" not in str(refused.value)


def test_the_password_is_neither_shown_nor_printed() -> None:
    address = PostgresAddress.from_dsn("postgresql://me:secret@db/crawl")
    assert address.shown == "db:5432/crawl"
    assert "secret" not in repr(address)
