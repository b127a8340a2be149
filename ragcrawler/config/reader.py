"""Settings as typed values, refused with name and value where they are wrong."""

import math
import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from ragcrawler.config.errors import SettingError
from ragcrawler.urls.credentials import mask_credentials

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off", ""}


_MEBIBYTE = 2**20

Kind = Literal[
    "text", "address", "choice", "integer", "mebibytes", "number", "amount", "share", "flag", "optional_flag"
]
"""How a setting is read: the method of `SettingsReader`, which says what is refused."""


@dataclass(frozen=True, slots=True)
class _Read:
    name: str
    kind: Kind
    bounds: Mapping[str, Any]


def setting(name: str, kind: Kind, *, default: Any = MISSING, secret: bool = False, **bounds: Any) -> Any:
    """A field of a `FromSettings` that has the value of a setting.

    Args:
        name: of the setting, whose default stands in `settings.py`.
        kind: how it is read.
        default: of the field, for objects that are made without settings.
        secret: keep it out of `repr`.
        bounds: further arguments of the reader's method.
    """
    return field(default=default, repr=not secret, metadata={"setting": _Read(name, kind, bounds)})


class FromSettings:
    """A dataclass whose fields say which settings they have."""

    __slots__ = ()

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """Read and check the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        return cls(**cls.read_fields(SettingsReader(settings)))

    @classmethod
    def read_fields(cls, read: "SettingsReader") -> dict[str, Any]:
        """The values of the fields that have a setting, by the names of the fields."""
        values = {}
        for each in fields(cls):  # type: ignore[arg-type]  # the classes below are dataclasses
            if each.metadata:
                asked: _Read = each.metadata["setting"]
                values[each.name] = getattr(read, asked.kind)(asked.name, **asked.bounds)
        return values


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
            words = ", ".join(each for each in choices if each)
            raise SettingError(
                name, value, f"empty, or one of {words}" if "" in choices else f"one of {words}"
            )
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

    def mebibytes(self, name: str, *, minimum: int = 0) -> int:
        """A whole number of mebibytes, in bytes.

        Raises:
            SettingError: it is none, or under the minimum.
        """
        return self.integer(name, minimum=minimum) * _MEBIBYTE

    def number(self, name: str, *, above: float = 0.0, most: float = math.inf) -> float:
        """A number.

        Raises:
            SettingError: it is none, or out of the bounds.
        """
        value = self._settings.get(name)
        expected = f"a number above {above:g}" + (f" and at most {most:g}" if most < math.inf else "")
        try:
            number = float(value)  # type: ignore[arg-type]  # what is no number raises, as it should
        except (TypeError, ValueError):
            raise SettingError(name, value, expected) from None
        if not above < number <= most or number == math.inf:
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

    def share(self, name: str, *, least: float = 0.0) -> float:
        """A number from 0 to 1.

        Args:
            name: of the setting.
            least: that means something, beside 0 for none at all.

        Raises:
            SettingError: it is another.
        """
        value = self.amount(name)
        if value and not least <= value <= 1:
            raise SettingError(name, value, f"0, or from {least:g} to 1" if least else "a number from 0 to 1")
        return value

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
