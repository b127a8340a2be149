"""Numbered steps by which a schema comes from one version to the next."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from ragcrawler.postgres.errors import PostgresError
from ragcrawler.postgres.session import PostgresSession

_NAME = re.compile(r"(\d{4})_(\w+)\.sql")
# One for all schemas: two programs that begin at once do not make the same extension at once either.
_LOCK = 0x52414743  # "RAGC"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; what stands in it once was released and is never edited, only followed by another.

    Attributes:
        number: 1 for the first.
        name: of its file.
        script: statements; names without a schema are in the one that is migrated.
    """

    number: int
    name: str
    script: str


def read_migrations(package: str) -> tuple[Migration, ...]:
    """The files `0001_name.sql`, `0002_name.sql`, ... of a package, in order.

    Raises:
        ValueError: a number is missing, or stands twice.
    """
    found = sorted(
        (
            Migration(int(match[1]), match[2], file.read_text(encoding="utf-8"))
            for file in files(package).iterdir()
            if (match := _NAME.fullmatch(file.name))
        ),
        key=lambda migration: migration.number,
    )
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"the migrations of {package} are not numbered from 0001 on, each once")
    return tuple(found)


def migrate(session: PostgresSession, migrations: Sequence[Migration]) -> int:
    """Bring the schema of a session, made where it is not there, to the last version; all steps or none.

    Workers that begin at the same time wait for each other.

    Returns:
        how many steps were made.

    Raises:
        PostgresError: the schema is another program's, or newer than this one.
    """
    if _version(session) == len(migrations):
        return 0
    return session.transaction(lambda: _migrate(session, migrations))


def _migrate(session: PostgresSession, migrations: Sequence[Migration]) -> int:
    session.rows("SELECT pg_advisory_xact_lock(:lock)", lock=_LOCK)
    version = _version(session)
    place = f"the schema {session.schema!r} in PostgreSQL at {session.address.shown}"
    if version is None:
        if session.rows("SELECT 1 FROM pg_tables WHERE schemaname = :name LIMIT 1", name=session.schema):
            raise PostgresError(f"{place} is another program's: name another database in POSTGRES_DSN")
        session.script(
            f'CREATE SCHEMA IF NOT EXISTS "{session.schema}"; CREATE TABLE "{session.schema}".migrations '
            "(number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());"
        )
        version = 0
    if version > len(migrations):
        raise PostgresError(
            f"{place} is version {version}, and this program knows {len(migrations)}: upgrade it"
        )
    for migration in migrations[version:]:
        session.script(migration.script)
        session.rows(
            "INSERT INTO migrations (number, name) VALUES (:number, :name)",
            number=migration.number,
            name=migration.name,
        )
    return len(migrations) - version


def _version(session: PostgresSession) -> int | None:
    """The number of the last step that was made, 0 for none; None where nothing was begun."""
    is_begun = "SELECT 1 FROM pg_tables WHERE schemaname = :name AND tablename = 'migrations'"
    if not session.rows(is_begun, name=session.schema):
        return None
    ((version,),) = session.rows("SELECT coalesce(max(number), 0) FROM migrations")
    return int(version)
