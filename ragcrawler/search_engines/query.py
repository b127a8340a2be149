"""What is searched for."""

from dataclasses import dataclass
from typing import Literal, get_args

Since = Literal["", "day", "week", "month", "year"]
SINCE: tuple[str, ...] = get_args(Since)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One query, in the terms that all engines share.

    Attributes:
        text: as the user wrote it.
        site: a host; only its pages are wanted. "" for all.
        language: of the results, as in `en` or `pt-BR`; "" for any.
        since: only pages of the last day, week, month or year; "" for any time.
    """

    text: str
    site: str = ""
    language: str = ""
    since: Since = ""

    @property
    def terms(self) -> str:
        """The text with the `site:` operator, which all engines know."""
        return f"{self.text} site:{self.site}" if self.site else self.text

    @property
    def short_language(self) -> str:
        """The language without its region, in lower case."""
        return self.language.partition("-")[0].lower()
