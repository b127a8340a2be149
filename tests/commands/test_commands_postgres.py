"""With POSTGRES_DSN every command finds the record of documents in the database, and shows no password."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ragcrawler.catalogue import DocumentRecord
from ragcrawler.catalogue.places import CatalogueSchema
from ragcrawler.postgres.address import PostgresAddress
from ragcrawler.postgres.session import PostgresSession
from ragcrawler.stores import StoreConfig, open_store

FAULTS_FOUND, ALL_REPAIRED = 3, 4
SIZES = {"CHUNK_TARGET_TOKENS": "80", "CHUNK_MAX_TOKENS": "120", "CHUNK_MIN_TOKENS": "10"}


def page(path: str) -> tuple[int, bytes]:
    links = "".join(f'<a href="/{number}">{number}</a>' for number in (1, 2, 3))
    number = {"/": 0, "/1": 1, "/2": 2, "/3": 2}.get(path)
    if number is None:
        return 404, b""
    text = f"<h1>Bed {number}</h1>" + "".join(
        f"<h2>Row {row}</h2><p>{f'Water row {row} of bed {number} early in the day. ' * 8}</p>"
        for row in range(3)
    )
    return 200, f"<html><body><main>{text}</main>{links}</body></html>".encode()


def schemas(address: PostgresAddress) -> list[str]:
    with PostgresSession(address) as session:
        query = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'catalogue%' ORDER BY nspname"
        return [name for (name,) in session.rows(query)]


class Commands:
    """Runs commands with the catalogue in a database, and keeps what they show and write."""

    def __init__(self, scrapy: Any, address: PostgresAddress) -> None:
        self._scrapy = scrapy
        self._address = address
        self._shown: list[str] = []

    def run(self, *arguments: str, ends: int = 0, **settings: str) -> str:
        given = {"POSTGRES_DSN": self._address.dsn, **SIZES, **settings}
        ended = self._scrapy.run(*arguments, **given)
        assert ended.returncode == ends, ended.stderr
        self._shown += [ended.stdout, ended.stderr]
        return str(ended.stdout)

    @property
    def everything(self) -> str:
        reports = [path.read_text() for path in self._scrapy.output.rglob("report.*")]
        return "".join([*self._shown, *reports])


def records(address: PostgresAddress, schema: str) -> list[DocumentRecord]:
    with CatalogueSchema(address, schema).open() as catalogue:
        return list(catalogue.documents())


def test_a_crawl_and_what_comes_after_it_share_a_catalogue_in_the_database(
    scrapy: Any, serve: Callable[..., str], postgres_address: PostgresAddress
) -> None:
    url, commands = serve(page), Commands(scrapy, postgres_address)
    for state in ("new", "unchanged"):
        commands.run("crawl", "seeds", "-a", f"domains={url}", LOG_LEVEL="DEBUG")
        (*_, newest) = sorted((scrapy.output / "runs").iterdir())
        assert json.loads((newest / "report.json").read_text())["documents"][state] == 3
    assert not (scrapy.output / "catalogue").exists()
    (schema,) = schemas(postgres_address)
    stored = records(postgres_address, schema)
    assert sorted(len(record.aliases) for record in stored) == [0, 0, 1]
    with open_store(StoreConfig(folder=scrapy.output / "qdrant", collection="ragcrawler")) as store:
        store.delete([stored[0].chunks[0].id])
    commands.run("verify", ends=FAULTS_FOUND)
    commands.run("verify", "--repair", ends=ALL_REPAIRED)
    assert len(commands.run("export", "--documents", "--format", "jsonl").splitlines()) == 3
    commands.run("validate")
    commands.run("reindex", "--into", "next", "--switch")
    assert len(schemas(postgres_address)) == 2
    commands.run("verify")
    assert [each.document_id for each in records(postgres_address, schema)] == [
        each.document_id for each in stored
    ]
    assert postgres_address.password not in commands.everything


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"password": "Canary7Pw"}, "refused user or password"),
        ({"database": "missing"}, "make it with `createdb missing`"),
        ({"port": 9}, "does not answer"),
    ],
)
def test_a_database_that_cannot_be_used_is_one_line_without_its_password(
    scrapy: Any, postgres_address: PostgresAddress, changes: dict[str, Any], message: str
) -> None:
    dsn = replace(postgres_address, **changes).dsn
    ended = scrapy.run("export", "--documents", POSTGRES_DSN=dsn)
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert message in line
    assert line.startswith("Error: ")
    assert "Canary7Pw" not in line
    assert postgres_address.password not in line


def test_what_is_no_address_is_refused_without_being_shown(scrapy: Any) -> None:
    ended = scrapy.run("export", "--documents", POSTGRES_DSN="postgresql://me:Canary7Pw@one,two/crawl")
    assert ended.returncode == 1
    assert "POSTGRES_DSN is '...', but should be an address like postgresql://" in ended.stderr
    assert "Canary7Pw" not in ended.stderr
