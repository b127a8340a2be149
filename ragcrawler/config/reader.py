"""Settings as typed values, refused with name and value where they are wrong."""

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from ragcrawler.config.errors import SettingError
from ragcrawler.urls.credentials import mask_credentials

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off", ""}


class SettingsReader:
    """Reads one setting at a time; values may be of the right type or text, as `-s NAME=VALUE` gives it."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self._settings = settings

    def text(self, name: str) -> str:
        """The value as text; None is "".

        Raises:
            SettingError: it is neither text nor None.
        """
        value = self._settings.get(name)
        if value is None:
            return ""
        if not isinstance(value, str | Path):
            raise SettingError(name, value, "text")
        return str(value)

    def address(self, name: str) -> str:
        """An http or https address of a service, "" where none is set.

        It stands in messages and reports: a user, a password or a query, which may hold a key, is refused.

        Raises:
            SettingError: it is no such address.
        """
        value = self.text(name)
        if not value:
            return value
        try:
            parts = urlsplit(value)
            is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_right, parts = False, urlsplit("")
        if not is_right or "@" in value or parts.query or parts.fragment:
            shown = mask_credentials(re.split("[?#]", value, maxsplit=1)[0])
            expected = "an http or https address without a user or password, and without a query"
            raise SettingError(name, shown, expected)
        return value

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of the words.

        Raises:
            SettingError: it is another.
        """
        value = self.text(name)
        if value not in choices:
            raise SettingError(name, value, f"one of {', '.join(choices)}")
        return value

    def integer(self, name: str, *, minimum: int = 0) -> int:
        """A whole number.

        Raises:
            SettingError: it is none, or under the minimum.
        """
        value = self._settings.get(name)
        expected = f"a whole number of at least {minimum}"
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise SettingError(name, value, expected)
        try:
            number = int(value)
        except ValueError:
            raise SettingError(name, value, expected) from None
        if number < minimum:
            raise SettingError(name, value, expected)
        return number

    def number(self, name: str, *, above: float = 0.0) -> float:
        """A number.

        Raises:
            SettingError: it is none, or not above the bound.
        """
        value = self._settings.get(name)
        expected = f"a number above {above:g}"
        try:
            number = float(value)  # type: ignore[arg-type]  # what is no number raises, as it should
        except (TypeError, ValueError):
            raise SettingError(name, value, expected) from None
        if not above < number < float("inf"):
            raise SettingError(name, value, expected)
        return number

    def amount(self, name: str) -> float:
        """A number of at least 0.

        Raises:
            SettingError: it is none, or under 0.
        """
        value = self._settings.get(name)
        try:
            number = float(value)  # type: ignore[arg-type]  # what is no number raises, as it should
        except (TypeError, ValueError):
            number = -1.0
        if not 0 <= number < float("inf"):
            raise SettingError(name, value, "a number of at least 0")
        return number

    def flag(self, name: str) -> bool:
        """Yes or no.

        Raises:
            SettingError: it is neither.
        """
        value = self._settings.get(name)
        word = str(value).lower()
        if word not in _YES | _NO:
            raise SettingError(name, value, "True or False")
        return word in _YES

    def optional_flag(self, name: str) -> bool | None:
        """Yes or no; None where nothing is set.

        Raises:
            SettingError: it is neither.
        """
        return None if self._settings.get(name) in (None, "") else self.flag(name)

    def folder(self, name: str, default: Path | None = None) -> Path:
        """A folder's path; "" gives the default.

        Raises:
            SettingError: it is empty and there is no default.
        """
        value = self.text(name)
        if value:
            return Path(value)
        if default is None:
            raise SettingError(name, value, "the path of a folder")
        return default
