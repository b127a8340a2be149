"""The settings of web access: limits of responses, logins, traps."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import FromSettings, SettingsReader, setting
from ragcrawler.frontier.filters.traps import TrapLimits
from ragcrawler.urls.logins import LoginError, Logins

_KIBIBYTE = 2**10


@dataclass(frozen=True, slots=True)
class WebAccessConfig(FromSettings):
    """Bounds and logins.

    Attributes:
        traps: bounds of what may be endless.
        finds_soft_404: whether a page is held against what its site says to a made-up address.
        max_header_bytes: of one response.
        max_decompression: bytes that come of each byte of a compressed response.
        logins: headers and cookies by site.
        max_site_bytes: that one site may send in a run; 0 for any number.
    """

    traps: TrapLimits
    max_header_bytes: int
    logins: Logins
    finds_soft_404: bool = setting("SOFT_404", "flag")
    max_decompression: int = setting("DOWNLOAD_MAX_DECOMPRESSION", "integer", minimum=1)
    max_site_bytes: int = setting("SITE_MAX_MEBIBYTES", "mebibytes")

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        read = SettingsReader(settings)
        traps = TrapLimits(
            max_characters=read.integer("TRAP_MAX_URL_CHARACTERS"),
            max_parameters=read.integer("TRAP_MAX_PARAMETERS"),
            max_segments=read.integer("TRAP_MAX_SEGMENTS"),
            max_repetitions=read.integer("TRAP_MAX_REPETITIONS"),
            max_dates=read.integer("TRAP_MAX_DATES"),
            max_facets=read.integer("TRAP_MAX_FACETS"),
        )
        header_bytes = read.integer("DOWNLOAD_MAX_HEADER_KIBIBYTES", minimum=8) * _KIBIBYTE
        return cls(traps=traps, max_header_bytes=header_bytes, logins=_logins(read), **cls.read_fields(read))


def _logins(read: SettingsReader) -> Logins:
    try:
        return Logins.parse(read.text("CRAWL_COOKIES"), read.text("CRAWL_HEADERS"))
    except LoginError as error:
        # Without the value, which is a secret, and without the cause, which may show it.
        raise SettingError("CRAWL_COOKIES or CRAWL_HEADERS", "...", f"other: {error}") from None
