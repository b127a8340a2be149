"""The tables, and migrations from older schemas."""

import sqlite3
from contextlib import closing

_APPLICATION = 0x52414743  # "RAGC": tells the file from other SQLite files

# One entry a version; what stands here once was released and is never edited, only followed by another.
_MIGRATIONS = (
    """
    CREATE TABLE documents (
        document_id TEXT PRIMARY KEY, url TEXT NOT NULL, site TEXT NOT NULL, page_hash TEXT NOT NULL,
        content_hash TEXT NOT NULL, near_hash TEXT NOT NULL, preparation TEXT NOT NULL, etag TEXT NOT NULL,
        last_modified TEXT NOT NULL, fetched_at TEXT NOT NULL, missing_runs INTEGER NOT NULL,
        missing_reason TEXT NOT NULL, first_seen TEXT NOT NULL, last_seen TEXT NOT NULL,
        is_unfinished INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX documents_by_site ON documents (site, document_id);
    CREATE INDEX documents_by_content ON documents (content_hash);
    CREATE INDEX documents_by_url ON documents (url);
    CREATE TABLE chunks (
        document_id TEXT NOT NULL, position INTEGER NOT NULL, chunk_id TEXT NOT NULL,
        embed_hash TEXT NOT NULL, payload_hash TEXT NOT NULL, PRIMARY KEY (document_id, position)
    ) WITHOUT ROWID;
    CREATE INDEX chunks_by_id ON chunks (chunk_id);
    CREATE TABLE texts (document_id TEXT PRIMARY KEY, records BLOB NOT NULL);
    CREATE TABLE aliases (url TEXT PRIMARY KEY, document_id TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX aliases_by_document ON aliases (document_id);
    CREATE TABLE sightings (
        document_id TEXT NOT NULL, crawl TEXT NOT NULL, PRIMARY KEY (document_id, crawl)
    ) WITHOUT ROWID;
    CREATE TABLE links (document_id TEXT PRIMARY KEY, urls BLOB NOT NULL);
    """,
    """
    CREATE TABLE markdown (document_id TEXT PRIMARY KEY, content_hash TEXT NOT NULL, record BLOB NOT NULL);
    """,
    "ALTER TABLE chunks ADD COLUMN checksum TEXT NOT NULL DEFAULT '';",
    """
    ALTER TABLE documents ADD COLUMN interval_seconds REAL NOT NULL DEFAULT 0;
    ALTER TABLE documents ADD COLUMN due_at REAL NOT NULL DEFAULT 0;
    """,
    """
    CREATE TABLE shared_blocks (
        site TEXT NOT NULL, block TEXT NOT NULL, keeper TEXT NOT NULL, PRIMARY KEY (site, block)
    ) WITHOUT ROWID;
    """,
    # A number is never given twice: the last one and how many there are tell one list from another.
    """
    CREATE TABLE kept_out (
        number INTEGER PRIMARY KEY AUTOINCREMENT, pattern TEXT NOT NULL, kind TEXT NOT NULL,
        text_hash TEXT NOT NULL, since TEXT NOT NULL, UNIQUE (pattern, kind)
    );
    CREATE TABLE taken_out (
        document_id TEXT PRIMARY KEY, url TEXT NOT NULL, site TEXT NOT NULL, chunks INTEGER NOT NULL,
        last_seen TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE removals (number INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL);
    """,
    """
    ALTER TABLE documents ADD COLUMN crawl TEXT NOT NULL DEFAULT '';
    ALTER TABLE documents ADD COLUMN lease INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE documents ADD COLUMN is_disturbed INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE ended_crawls (crawl TEXT PRIMARY KEY) WITHOUT ROWID;
    """,
)
VERSION = len(_MIGRATIONS)


class SchemaError(sqlite3.DatabaseError):
    """The file is another program's, or of a later version of this one."""


def migrate(database: sqlite3.Connection) -> None:
    """Bring the tables to this version, each step whole or not at all.

    Raises:
        SchemaError: the file is not ours, or newer than this program.
    """
    application, version = _number(database, "application_id"), _number(database, "user_version")
    if application not in {0, _APPLICATION} or (not application and _number(database, "schema_version")):
        raise SchemaError("it is a database of another program")
    if version > VERSION:
        raise SchemaError(f"its schema is version {version}, and this program knows {VERSION}: upgrade it")
    for reached, script in enumerate(_MIGRATIONS[version:], start=version + 1):
        database.executescript(
            f"BEGIN IMMEDIATE; {script} PRAGMA application_id = {_APPLICATION}; "
            f"PRAGMA user_version = {reached}; COMMIT;"
        )


def _number(database: sqlite3.Connection, pragma: str) -> int:
    with closing(database.execute(f"PRAGMA {pragma}")) as answer:
        return int(answer.fetchone()[0])
