"""A PostgreSQL that cannot be worked with."""


class PostgresError(Exception):
    """The server, or what was asked of it, is not right; says where, why, and what to do.

    It shows no password.

    Attributes:
        code: what the server calls the error (SQLSTATE), "" where it did not say.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class PostgresAwayError(PostgresError):
    """The server did not answer, for as long as it was waited for."""
