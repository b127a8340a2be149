"""The PostgreSQL database that the settings name."""

from collections.abc import Mapping

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.postgres.address import PostgresAddress


def postgres_address(settings: Mapping[str, object]) -> PostgresAddress | None:
    """Where the database is; None where none is named.

    Raises:
        SettingError: POSTGRES_DSN is no address; its value is not shown.
    """
    dsn = SettingsReader(settings).text("POSTGRES_DSN")
    try:
        return PostgresAddress.from_dsn(dsn) if dsn else None
    except ValueError as error:
        raise SettingError("POSTGRES_DSN", "...", str(error)) from None
