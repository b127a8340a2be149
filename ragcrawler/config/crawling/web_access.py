"""The settings of web access: limits of responses, logins, traps."""

from collections.abc import Mapping
from dataclasses import dataclass

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.frontier.filters.traps import TrapLimits
from ragcrawler.urls.logins import LoginError, Logins

_KIBIBYTE = 2**10


@dataclass(frozen=True, slots=True)
class WebAccessConfig:
    """Bounds and logins.

    Attributes:
        traps: bounds of what may be endless.
        finds_soft_404: whether a page is held against what its site says to a made-up address.
        max_header_bytes: of one response.
        max_decompression: bytes that come of each byte of a compressed response.
        logins: headers and cookies by site.
    """

    traps: TrapLimits
    finds_soft_404: bool
    max_header_bytes: int
    max_decompression: int
    logins: Logins

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> "WebAccessConfig":
        """Read and check the settings.

        Raises:
            SettingError: a setting is invalid.
        """
        read = SettingsReader(settings)
        return cls(
            traps=TrapLimits(
                max_characters=read.integer("TRAP_MAX_URL_CHARACTERS"),
                max_parameters=read.integer("TRAP_MAX_PARAMETERS"),
                max_segments=read.integer("TRAP_MAX_SEGMENTS"),
                max_repetitions=read.integer("TRAP_MAX_REPETITIONS"),
                max_dates=read.integer("TRAP_MAX_DATES"),
                max_facets=read.integer("TRAP_MAX_FACETS"),
            ),
            finds_soft_404=read.flag("SOFT_404"),
            max_header_bytes=read.integer("DOWNLOAD_MAX_HEADER_KIBIBYTES", minimum=8) * _KIBIBYTE,
            max_decompression=read.integer("DOWNLOAD_MAX_DECOMPRESSION", minimum=1),
            logins=_logins(read),
        )


def _logins(read: SettingsReader) -> Logins:
    try:
        return Logins.parse(read.text("CRAWL_COOKIES"), read.text("CRAWL_HEADERS"))
    except LoginError as error:
        # Without the value, which is a secret, and without the cause, which may show it.
        raise SettingError("CRAWL_COOKIES or CRAWL_HEADERS", "...", f"other: {error}") from None
